import type { Suggestion } from '../../../bank/matching.js';
import { dateFormats } from '../../../common/date-formats.js';
import { knownOf, plainWord } from '../../../common/known.js';
import type { BankLine } from '../../../database/bank/bank-line.entity.js';
import type { ListedState } from '../../../database/bank/bank-queue.repository.js';
import type { Badge } from '../../kit/status.js';
import type { Tab } from './line-filter.js';

export const LINE_BADGES: Readonly<Record<ListedState, Badge>> = {
  announced: { label: 'Announced', tone: 'idle', icon: 'clock' },
  matched: { label: 'Matched', tone: 'good', icon: 'check' },
  suggested: { label: 'Suggested', tone: 'warn', icon: 'search' },
  unmatched: { label: 'Unmatched', tone: 'warn', icon: 'warning' },
  unknown_money_out: { label: 'Unknown money out', tone: 'warn', icon: 'warning' },
  not_a_payment: { label: 'Not a payment', tone: '', icon: 'ended' },
  ignored: { label: 'Ignored', tone: '', icon: 'ended' },
  superseded: { label: 'Replaced', tone: '', icon: 'orders' },
};

export const TAB_NAMES: Readonly<Record<Tab, string>> = {
  waiting: 'Waiting',
  unknown_money_out: 'Unknown money out',
  matched: 'Matched',
  other: 'Not payments',
  ignored: 'Ignored',
  announced: 'Announced',
  superseded: 'Replaced',
};

/** Why a line is in its state, in a sentence; a person's reason reads as it was typed. */
const REASONS: Readonly<Record<string, string>> = {
  reference: 'Its reference names the order.',
  several_references: 'Its references name orders, and it pays exactly what is open of them.',
  by_hand: 'A person matched it.',
  looks_like: 'Something in it looks like the reference of an order.',
  order_number: 'An order’s own number and amount are in it.',
  several_orders: 'It names several orders, and its amount is not what is open of them.',
  wrong_currency: 'It is in another currency than the order.',
  contradicts: 'The bank contradicts itself in it.',
  amount_differs_charges: 'It is less than the order: a bank may have kept charges.',
  order_finished: 'The order that it names is over.',
  too_many_payments: 'The order that it names has too many payments already.',
  another_unknown_reference: 'It names an order, and a reference that was never given out here.',
  possible_duplicate: 'It may be a booking that is there already. Compare both.',
  possible_total:
    'It comes to the sum of payments that are there, and may be their total or a payment of its own.',
  statement_not_balanced: 'The balances of its statement do not fit its entries.',
  statement_without_balance: 'Its statement has no balances that prove its entries.',
  same_booking: 'A person said that it is the same booking as another line.',
  total: 'A person said that it is the total of other lines, or a part of one that was counted.',
  no_reference: 'No reference of ours is in it.',
  unknown_reference: 'Its reference was never given out here.',
  reference_of_other_mode: 'Its reference belongs to the other mode.',
  unknown_account: 'It came to an account that is no collection account of its currency.',
  unknown_amount: 'It has no amount that could count.',
  undone: 'Its match was undone.',
  return_undone: 'Its return was undone.',
  reopened: 'A person let it wait again.',
  partly_matched: 'A part of it is no order’s yet.',
  collection: 'A direct debit.',
  batch_total: 'A total, of whose payments no file has told.',
  unusable: 'It has no amount that could count.',
  other: 'It is no transfer of a customer.',
  payout_paid: 'It paid a payout.',
  payout_returned: 'A payout came back.',
  matching_failed: 'Looking for its order failed twice. A person has to match it.',
  too_complex: 'Looking for its order took too long. A person has to match it.',
  payout_elsewhere: 'It names a payout, but is of an account from which that was not paid.',
  charged_back: 'The bank took a payment back.',
  unknown_money_out: 'Money went out, and no payout explains it.',
  unknown_money_back: 'Money came back, and nothing of ours explains it.',
};

export const reasonText = (reason: string): string => knownOf(REASONS, reason) ?? plainOf(reason);

/** A stable word as a person writes it, and what a person wrote as it is. */
const plainOf = (reason: string): string =>
  /^[a-z]+(_[a-z]+)*$/.test(reason) ? `${plainWord(reason)}.` : reason;

const BECAUSE: Readonly<Record<Suggestion['because'], string>> = {
  reference: 'Its reference is in the line.',
  looks_like: 'Something like its reference is in the line.',
  order_number: 'Its own number and its amount are in the line.',
  payer_and_amount: 'This account has paid that merchant before, and the amount is the same.',
  amount: 'The amount is the same.',
};

export const suggestionText = (because: Suggestion['because']): string =>
  knownOf(BECAUSE, because) ?? plainOf(because);

const KINDS: Readonly<Record<string, string>> = {
  payment: 'Payment',
  return: 'Return of a payment',
  reversal: 'Reversal of an earlier booking',
  collection: 'Direct debit',
  batch_total: 'Total of several payments',
  unusable: 'Without a usable amount',
  other: 'Something else',
};

export const kindText = (kind: string): string => knownOf(KINDS, kind) ?? plainWord(kind);

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** "20 Nov 2026", of a day as a bank wrote it. */
export const bankDayText = (day: string): string =>
  dayFormat('UTC')
    .format(new Date(`${day}T00:00:00Z`))
    .replace('Sept', 'Sep');

const DAY_MS = 24 * 60 * 60_000;

/** Since when a line waits: the day of its booking, or when it was first seen. */
export function ageText({ bookedOn, createdAt }: BankLine, now: Date): string {
  const since = bookedOn === null ? createdAt : new Date(`${bookedOn}T00:00:00Z`);
  const days = Math.floor((now.getTime() - since.getTime()) / DAY_MS);
  if (days < 1) return 'since today';
  return days === 1 ? 'for 1 day' : `for ${days} days`;
}

/** More than banks write of a payment. */
const EXCERPT_MAX = 500;

/** As much of a text as a list has room for; the page of the line has all of it. */
export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= EXCERPT_MAX) return text;
  return `${text.slice(0, EXCERPT_MAX).toWellFormed()}…`;
}
