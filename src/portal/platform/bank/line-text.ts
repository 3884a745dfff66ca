import type { Suggestion } from '../../../bank/matching/matching.js';
import { dateFormats } from '../../../common/time/date-formats.js';
import { knownOf, plainWord } from '../../../common/known.js';
import type { BankLine } from '../../../database/bank/lines/bank-line.entity.js';
import type { ListedState } from '../../../database/bank/matching/bank-queue.repository.js';
import type { Badge } from '../../kit/status.js';
import type { Tab } from './line-filter.js';

export const LINE_BADGES: Readonly<Record<ListedState, Badge>> = {
  announced: { label: 'Not booked yet', tone: 'idle', icon: 'clock' },
  matched: { label: 'Matched', tone: 'good', icon: 'check' },
  suggested: { label: 'Suggested', tone: 'warn', icon: 'search' },
  unmatched: { label: 'Unmatched', tone: 'warn', icon: 'warning' },
  unknown_money_out: { label: 'Unexplained debit', tone: 'warn', icon: 'warning' },
  not_a_payment: { label: 'Not a payment', tone: '', icon: 'ended' },
  ignored: { label: 'Ignored', tone: '', icon: 'ended' },
  superseded: { label: 'Replaced', tone: '', icon: 'orders' },
};

export const TAB_NAMES: Readonly<Record<Tab, string>> = {
  waiting: 'To review',
  unknown_money_out: 'Unexplained debits',
  matched: 'Matched',
  other: 'Not payments',
  ignored: 'Ignored',
  announced: 'Not booked yet',
  superseded: 'Replaced',
};

/** Reason for the state of a line; reasons typed by operators are shown unchanged. */
const REASONS: Readonly<Record<string, string>> = {
  reference: 'Its reference matches the order.',
  several_references: 'Its references match several orders, and its amount is their exact total.',
  by_hand: 'Matched by an operator.',
  looks_like: 'It contains a text similar to an order reference.',
  order_number: 'Order number and amount match an order.',
  several_orders: 'It names several orders, but its amount is not their total.',
  wrong_currency: 'Its currency differs from the order’s.',
  contradicts: 'The bank’s data is contradictory.',
  amount_differs_charges: 'The amount is lower than the order: a bank may have deducted charges.',
  more_than_due: 'It is more than its order is still due: part of it may be for other orders.',
  less_than_due:
    'It is less than its order is due, and may be the total of several payments: part of it may be for other orders.',
  order_finished: 'The order is already closed.',
  too_many_payments: 'The order has reached its maximum number of payments.',
  another_unknown_reference: 'It contains an order reference and an unknown reference.',
  possible_duplicate: 'Possible duplicate of an existing booking. Compare both.',
  possible_total:
    'It may be the total of other payments, or one of the payments in a booked total: the amounts add up. Match it only if your online banking shows both.',
  payer_not_named:
    'The bank’s own fields prove no payer, and files in another format report this account, too: it may be the total of payments that they list.',
  total_or_payment:
    'Another format reports a booking that has paid, but not this one. That booking may be the total of this payment, or a payment in this total, also if an operator undid its match. This line pays by itself when a file reports both.',
  statements_differ:
    'Another balanced statement of these days has a booking that has paid instead of this one. Both may be the same money, one by one or as a total. Match it only if your online banking shows both.',
  may_have_gone_back:
    'A debit names the same order or has the same identifiers, or a debit of this amount went to this payer. It may have sent this payment back, or this may be its money coming back. Or a return was booked for another payment with the same identifiers, and may be the return of this one.',
  reported_elsewhere:
    'Another account of the platform reports a payment for the same order or with the same identifier, or the payer’s account belongs to the platform. It may be one transfer. Match it only if your online banking shows both.',
  statement_not_balanced: 'The entries of its statement do not add up to the balances.',
  statement_without_balance: 'Its statement has no balances to verify the entries.',
  read_before:
    'Its file was imported before with another profile, so this booking may already be stored.',
  booked_in_future: 'Its booking day is in the future.',
  same_booking: 'Marked by an operator as the same booking as another line.',
  total: 'Marked by an operator as a total of other lines, or part of a line already booked.',
  no_reference: 'It contains no order reference.',
  unknown_reference: 'Its reference is unknown.',
  reference_of_other_mode: 'Its reference belongs to the other mode.',
  unknown_account: 'Its account is not a collection account of this currency.',
  unknown_amount: 'It has no usable amount.',
  undone: 'Its match was undone.',
  return_undone: 'Its return was undone.',
  reopened: 'Reopened by an operator.',
  partly_matched: 'Part of it is not matched yet.',
  collection: 'A direct debit.',
  batch_total: 'A batch total whose individual payments were not imported.',
  unusable: 'It has no usable amount.',
  other: 'Not a customer transfer.',
  payout_paid: 'It paid a payout.',
  payout_returned: 'A payout was returned.',
  matching_failed: 'Automatic matching failed twice. Match it manually.',
  too_complex: 'Automatic matching took too long. Match it manually.',
  payout_contradicted:
    'The bank executed a payout or a file that was reported as failed or not sent. The money may be paid out twice.',
  payout_elsewhere: 'It names a payout, but that payout was sent from another account.',
  charged_back: 'The bank returned a payment.',
  may_be_refund:
    'Money of the order was refunded or reversed before, and this line may be that refund. If so, mark it as not a payment. Otherwise book the return.',
  unknown_money_out: 'An outgoing payment that matches no payout.',
  unknown_money_back: 'Returned money that matches no payout or payment.',
};

export const reasonText = (reason: string): string => knownOf(REASONS, reason) ?? plainOf(reason);

/** Formats codes as text; leaves typed reasons unchanged. */
const plainOf = (reason: string): string =>
  /^[a-z]+(_[a-z]+)*$/.test(reason) ? `${plainWord(reason)}.` : reason;

const BECAUSE: Readonly<Record<Suggestion['because'], string>> = {
  reference: 'The line contains its reference.',
  looks_like: 'The line contains a similar reference.',
  order_number: 'Order number and amount match.',
  payer_and_amount: 'Same amount, and this account has paid this merchant before.',
  amount: 'Same amount.',
};

export const suggestionText = (because: Suggestion['because']): string =>
  knownOf(BECAUSE, because) ?? plainOf(because);

const KINDS: Readonly<Record<string, string>> = {
  payment: 'Payment',
  return: 'Returned payment',
  reversal: 'Reversal of an earlier booking',
  collection: 'Direct debit',
  batch_total: 'Total of several payments',
  unusable: 'No usable amount',
  other: 'Other',
};

export const kindText = (kind: string): string => knownOf(KINDS, kind) ?? plainWord(kind);

const dayFormat = dateFormats('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Formats a booking date as "20 Nov 2026". */
export const bankDayText = (day: string): string =>
  dayFormat('UTC')
    .format(new Date(`${day}T00:00:00Z`))
    .replace('Sept', 'Sep');

const DAY_MS = 24 * 60 * 60_000;

/** Age of a line since its booking date or, without one, its import. */
export function ageText(
  { bookedOn, valuedOn, createdAt }: Pick<BankLine, 'bookedOn' | 'valuedOn' | 'createdAt'>,
  now: Date,
): string {
  const day = bookedOn ?? valuedOn;
  const since = day === null ? createdAt : new Date(`${day}T00:00:00Z`);
  const days = Math.floor((now.getTime() - since.getTime()) / DAY_MS);
  if (days < 1) return 'since today';
  return days === 1 ? 'for 1 day' : `for ${days} days`;
}

const EXCERPT_MAX = 500;

/** Shortens a text for lists; the page of the line shows all of it. */
export function excerptOf(text: string | null): string | null {
  if (text === null || text.length <= EXCERPT_MAX) return text;
  return `${text.slice(0, EXCERPT_MAX).toWellFormed()}…`;
}
