import type { BankLine, LineState } from '../database/bank/bank-line.entity.js';
import type { KnownOrder } from '../database/bank/matching.repository.js';
import {
  doubtfulReferences,
  nearReferences,
  type Sighting,
  sureReferences,
} from './reference-clues.js';
import { isPossibleDuplicate, mayBeTotal } from './waiting-line.js';

/** Why a line is in its state. Stable: programs and translations know them. */
export const LINE_REASONS = [
  // Matched by the rules, or by a person.
  'reference',
  'several_references',
  'by_hand',
  // Suggested: there are orders that it may be for.
  'looks_like',
  'order_number',
  'several_orders',
  'wrong_currency',
  'contradicts',
  'amount_differs_charges',
  'order_finished',
  'too_many_payments',
  'another_unknown_reference',
  'possible_duplicate',
  'possible_total',
  'statement_not_balanced',
  'statement_without_balance',
  // Unmatched: nobody knows any, or not for all of it.
  'no_reference',
  'unknown_reference',
  'reference_of_other_mode',
  'unknown_account',
  'unknown_amount',
  'batch_total',
  'undone',
  'return_undone',
  'reopened',
  'partly_matched',
  'unknown_money_back',
  'payout_elsewhere',
  // Unmatched: rules came to no end, or would have kept everybody waiting.
  'matching_failed',
  'too_complex',
  // Superseded: a person has said that it is another line, or the sum of others, or that these are one.
  'same_booking',
  'total',
  // Not a payment of an order.
  'collection',
  'unusable',
  'other',
  'payout_paid',
  'payout_returned',
  'charged_back',
  // A task where the bank took it back, else perhaps the platform's own affair.
  'unknown_money_out',
] as const;
export type LineReason = (typeof LINE_REASONS)[number];

/**
 * What rules have explained, or a person has taken into their hands, though the line is not matched or ignored: a later
 * file that tells more of it does not let rules look again.
 */
export const SETTLED_REASONS: readonly LineReason[] = [
  'undone',
  'return_undone',
  'reopened',
  'partly_matched',
  'payout_paid',
  'payout_returned',
  'charged_back',
];

/** What the rules are told of a line beside itself. */
export interface Surroundings {
  /** The line's account is one to which payers of its mode and currency are sent, or were. */
  readonly isOurAccount: boolean;
  /** Orders of the line's mode with a reference that its clues name. */
  readonly orders: readonly KnownOrder[];
  /** Orders that wait and whose own number stands in the text. */
  readonly numbered: readonly KnownOrder[];
}

export interface Allocation {
  readonly order: KnownOrder;
  /** Minor units of the line's currency. */
  readonly amount: number;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** An order that a line may be for, and why. */
export interface Suggestion {
  readonly order: KnownOrder;
  readonly because: 'reference' | 'looks_like' | 'order_number' | 'payer_and_amount' | 'amount';
}

export interface Decision {
  readonly state: LineState;
  readonly reason: LineReason | null;
  /** Set when the line pays by itself. */
  readonly allocations: readonly Allocation[];
  /** All that there are, the likeliest first. */
  readonly suggestions: readonly Suggestion[];
}

type Found = readonly { readonly order: KnownOrder; readonly seen: Sighting }[];

/**
 * What a line means, as far as rules can say. Pure: the caller has found the orders, and holds their locks when it
 * books what comes out.
 */
export function decide(line: BankLine, around: Surroundings): Decision {
  const none = noPayment(line);
  if (none) return { ...none, allocations: [], suggestions: [] };
  if (isPossibleDuplicate(line)) {
    const reason = mayBeTotal(line) ? 'possible_total' : 'possible_duplicate';
    return { ...ASK, reason, suggestions: [] };
  }
  const written = sureReferences(line);
  const sure = mostCertain(found(written, around.orders));
  if (sure.length > 0)
    return unlessUnknown(bySureReference(line, sure, around), written, sure, around);
  const doubtful = found(doubtfulReferences(line), around.orders);
  if (doubtful.length > 0)
    return unlessUnknown(byDoubtfulReference(line, doubtful, around), written, doubtful, around);
  return byHints(line, written, around);
}

/** Kinds and states that no rule looks into; null for money that a customer may have paid. */
function noPayment(line: BankLine): Pick<Decision, 'state' | 'reason'> | null {
  if (line.state === 'superseded' || line.state === 'ignored' || line.state === 'matched')
    return { state: line.state, reason: line.reason as LineReason | null };
  if (line.status === 'announced') return { state: 'announced', reason: null };
  if (line.direction === 'out') return { state: 'not_a_payment', reason: 'unknown_money_out' };
  if (line.kind === 'payment') return null;
  // Money that is there: its payments may never be told, and its amount is for a person to read.
  if (line.kind === 'batch_total') return { state: 'unmatched', reason: 'batch_total' };
  if (line.amount === null) return { state: 'unmatched', reason: 'unknown_amount' };
  const kind = LINE_REASONS.find((reason) => reason === line.kind) ?? 'other';
  return { state: 'not_a_payment', reason: kind };
}

/** What the bank calls an end-to-end id may stem from an earlier transfer: it counts where nothing else does. */
function mostCertain(all: Found): Found {
  const written = all.filter(({ seen }) => seen.place !== 'end_to_end_id');
  return written.length > 0 ? written : all;
}

/** Money that names something else, too, of which we know nothing, may not be all for the order. */
function unlessUnknown(
  decision: Decision,
  written: readonly Sighting[],
  named: Found,
  { orders }: Pick<Surroundings, 'orders'>,
): Decision {
  const known = new Set(orders.map(({ reference }) => reference));
  const isWritten = named.some(({ seen }) => seen.place !== 'end_to_end_id');
  const isUnknown = written.some(
    ({ reference, place }) => !known.has(reference) && !(isWritten && place === 'end_to_end_id'),
  );
  if (!isUnknown || decision.state !== 'matched') return decision;
  return { ...decision, ...ASK, reason: 'another_unknown_reference' };
}

function bySureReference(line: BankLine, sure: Found, { isOurAccount }: Surroundings): Decision {
  const suggestions = suggested(sure, 'reference');
  const ask = (reason: LineReason): Decision => ({ ...ASK, reason, suggestions });
  const doubt = doubtOf(line, sure, isOurAccount);
  if (doubt) return ask(doubt);
  if (sure.length === 1) return pay(sure, [line.amount!], 'reference', suggestions);
  const amounts = sure.map(({ order }) => dueOf(order));
  const isExact = sum(amounts) === line.amount && amounts.every((amount) => amount > 0);
  return isExact ? pay(sure, amounts, 'several_references', suggestions) : ask('several_orders');
}

/** A reference that is not written out pays only what it asks for, to the cent, while it is waited for. */
function byDoubtfulReference(
  line: BankLine,
  doubtful: Found,
  { isOurAccount }: Surroundings,
): Decision {
  const suggestions = suggested(doubtful, 'looks_like');
  const ask = (reason: LineReason): Decision => ({ ...ASK, reason, suggestions });
  const doubt = doubtOf(line, doubtful, isOurAccount);
  if (doubt) return ask(doubt);
  if (doubtful.length > 1) return ask('several_orders');
  const [{ order }] = doubtful as [Found[number]];
  if (!waits(order)) return ask('order_finished');
  if (dueOf(order) !== line.amount) return ask('looks_like');
  return pay(doubtful, [line.amount], 'reference', suggestions);
}

/** Nothing pays by itself any more. */
function byHints(line: BankLine, sure: readonly Sighting[], around: Surroundings): Decision {
  const near = around.orders.length > 0 ? nearReferences(line) : [];
  const close = around.orders.filter(({ reference }) => near.includes(reference!));
  const suggestions: Suggestion[] = [
    ...close.map((order) => ({ order, because: 'looks_like' }) as const),
    ...around.numbered
      .filter((order) => order.currency === line.currency && dueOf(order) === line.amount)
      .toSorted((one, other) => toldFirst(line, one, other) || byDigits(one, other))
      .map((order) => ({ order, because: 'order_number' }) as const),
  ];
  if (suggestions.length === 0) return { ...UNKNOWN, reason: whyUnknown(line, sure, around) };
  const reason = suggestions[0]!.because as LineReason;
  return { ...ASK, reason, suggestions };
}

const ASK = { state: 'suggested', allocations: [] } as const;
const UNKNOWN = { state: 'unmatched', allocations: [], suggestions: [] } as const;

/** Why a person has to look, although the orders are known. */
function doubtOf(line: BankLine, all: Found, isOurAccount: boolean): LineReason | null {
  if (line.amount === null || line.amount === 0) return 'unknown_amount';
  if (all.some(({ order }) => order.currency !== line.currency)) return 'wrong_currency';
  if (!isOurAccount) return 'unknown_account';
  if (line.contradicts === null) return line.unproven;
  const isLess = line.amount < sum(all.map(({ order }) => dueOf(order)));
  return isLess && line.contradicts.endsWith('is booked.')
    ? 'amount_differs_charges'
    : 'contradicts';
}

function whyUnknown(
  { mode, amount }: BankLine,
  sure: readonly Sighting[],
  { isOurAccount }: Surroundings,
): LineReason {
  if (amount === null) return 'unknown_amount';
  if (!isOurAccount) return 'unknown_account';
  if (sure.length === 0) return 'no_reference';
  const isOther = sure.every(({ reference }) => (reference[4] === '0') !== (mode === 'test'));
  return isOther ? 'reference_of_other_mode' : 'unknown_reference';
}

/** The orders whose references were seen, each once, in the order in which they were. */
function found(sightings: readonly Sighting[], orders: readonly KnownOrder[]): Found {
  const byReference = new Map(orders.map((order) => [order.reference, order]));
  return sightings.flatMap((seen) => {
    const order = byReference.get(seen.reference);
    return order ? [{ order, seen }] : [];
  });
}

const pay = (
  all: Found,
  amounts: readonly number[],
  reason: LineReason,
  suggestions: readonly Suggestion[],
): Decision => ({
  state: 'matched',
  reason,
  allocations: all.map(({ order, seen }, at) => ({
    order,
    amount: amounts[at]!,
    evidence: { rule: reason, ...seen },
  })),
  suggestions,
});

const suggested = (all: Found, because: Suggestion['because']): Suggestion[] =>
  all.map(({ order }) => ({ order, because }));

/** Merchants call their orders what they like: those count more whose payers were told the account of the line. */
const toldFirst = ({ account }: BankLine, one: KnownOrder, other: KnownOrder): number =>
  Number(other.toldAccount === account) - Number(one.toldAccount === account);

/** A number with many digits stands in few texts by chance. */
const byDigits = (one: KnownOrder, other: KnownOrder): number =>
  digitsIn(other.orderMerchantId) - digitsIn(one.orderMerchantId);

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** What an order still waits for, in minor units of its currency. */
export const dueOf = ({ amount, amountReceived }: KnownOrder): number => amount - amountReceived;

/** Whether an order still waits for money. */
export const waits = ({ status }: KnownOrder): boolean =>
  status === 'open' || status === 'processing';

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);
