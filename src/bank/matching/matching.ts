import type { BankLine, LineState } from '../../database/bank/lines/bank-line.entity.js';
import type { KnownOrder, TotalDoubt } from '../../database/bank/matching/matching.repository.js';
import {
  doubtfulReferences,
  nearReferences,
  type Sighting,
  sureReferences,
} from './reference-clues.js';
import { LINE_REASONS, type LineReason } from './line-reasons.js';
import { isOnePayment } from '../recognition/total-evidence.js';
import { isPossibleDuplicate, isTakingBack, mayBeTotal } from '../recognition/waiting-line.js';

/** Input of the rules besides the line itself. */
export interface Surroundings {
  /** The account is or was a collection account of the line's mode and currency. */
  readonly isOurAccount: boolean;
  /** Orders of the line's mode with a reference found in the line. */
  readonly orders: readonly KnownOrder[];
  /** Waiting orders whose own number appears in the text. */
  readonly numbered: readonly KnownOrder[];
}

export interface Allocation {
  readonly order: KnownOrder;
  /** Minor units of the line's currency. */
  readonly amount: number;
  readonly evidence: Readonly<Record<string, unknown>>;
}

/** A possible order for a line, with the reason. */
export interface Suggestion {
  readonly order: KnownOrder;
  readonly because: 'reference' | 'looks_like' | 'order_number' | 'payer_and_amount' | 'amount';
}

export interface Decision {
  readonly state: LineState;
  readonly reason: LineReason | null;
  /** Not empty when the line can be booked automatically. */
  readonly allocations: readonly Allocation[];
  /** All suggestions, the likeliest first. */
  readonly suggestions: readonly Suggestion[];
}

type Found = readonly { readonly order: KnownOrder; readonly seen: Sighting }[];

/**
 * Applies the matching rules to a line. Pure: the caller loads the orders, and holds their locks when it books the
 * result.
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

/** State of lines that no rule handles; null for a possible customer payment. */
function noPayment(line: BankLine): Pick<Decision, 'state' | 'reason'> | null {
  if (line.state === 'superseded' || line.state === 'ignored' || line.state === 'matched')
    return { state: line.state, reason: line.reason as LineReason | null };
  if (line.status === 'announced') return { state: 'announced', reason: null };
  if (line.direction === 'out') {
    const state = isTakingBack(line) ? 'unmatched' : 'not_a_payment';
    return { state, reason: 'unknown_money_out' };
  }
  if (line.kind === 'payment') return null;
  // Batch total: its payments may never be reported, and an operator has to read the amount.
  if (line.kind === 'batch_total') return { state: 'unmatched', reason: 'batch_total' };
  if (line.amount === null) return { state: 'unmatched', reason: 'unknown_amount' };
  const kind = LINE_REASONS.find((reason) => reason === line.kind) ?? 'other';
  return { state: 'not_a_payment', reason: kind };
}

/** An end-to-end id may come from an earlier transfer, so it is used only without other references. */
function mostCertain(all: Found): Found {
  const written = all.filter(({ seen }) => seen.place !== 'end_to_end_id');
  return written.length > 0 ? written : all;
}

/** A line with unknown references as well may not be meant for the order alone. */
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

/** Why a line may be no payment of its own, although it names its order. */
export type PayingDoubt =
  TotalDoubt | 'may_have_gone_back' | 'possible_total' | 'reported_elsewhere';

/**
 * Files in another format may report the line as payments, or as part of a total.
 * @param doubt undefined unless files in several formats or accounts report the line, or its money may have gone back
 */
export function unlessTotal(decision: Decision, doubt: PayingDoubt | null | undefined): Decision {
  const isLess = decision.allocations.some(({ order, amount }) => amount < dueOf(order));
  const reason = doubt ?? (isLess ? 'less_than_due' : null);
  const pays = decision.state === 'matched' && decision.allocations.length > 0;
  return pays && doubt !== undefined && reason ? { ...decision, ...ASK, reason } : decision;
}

function bySureReference(line: BankLine, sure: Found, { isOurAccount }: Surroundings): Decision {
  const suggestions = suggested(sure, 'reference');
  const ask = (reason: LineReason): Decision => ({ ...ASK, reason, suggestions });
  const doubt = doubtOf(line, sure, isOurAccount);
  if (doubt) return ask(doubt);
  const amounts = sure.map(({ order }) => dueOf(order));
  if (sure.length === 1) {
    // Another amount may be other orders' money: banks write the text of one payment into the total of several.
    if (line.amount! > sum(amounts)) return ask('more_than_due');
    if (line.amount! < sum(amounts) && !isOnePayment(line)) return ask('less_than_due');
    return pay(sure, [line.amount!], 'reference', suggestions);
  }
  const isExact = sum(amounts) === line.amount && amounts.every((amount) => amount > 0);
  return isExact ? pay(sure, amounts, 'several_references', suggestions) : ask('several_orders');
}

/** A reference with a doubtful spelling pays only the exact amount of a waiting order. */
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

/** Suggestions only; nothing is booked automatically from here on. */
function byHints(line: BankLine, sure: readonly Sighting[], around: Surroundings): Decision {
  const near = around.orders.length > 0 ? nearReferences(line) : [];
  const close = around.orders.filter(({ reference }) => near.includes(reference!));
  const suggestions: Suggestion[] = [
    ...close.map((order) => ({ order, because: 'looks_like' }) as const),
    ...around.numbered
      .filter((order) => order.currency === line.currency && dueOf(order) === line.amount)
      .toSorted((one, other) => byAccount(line, one, other) || byDigits(one, other))
      .map((order) => ({ order, because: 'order_number' }) as const),
  ];
  if (suggestions.length === 0) return { ...UNKNOWN, reason: whyUnknown(line, sure, around) };
  const reason = suggestions[0]!.because as LineReason;
  return { ...ASK, reason, suggestions };
}

const ASK = { state: 'suggested', allocations: [] } as const;
const UNKNOWN = { state: 'unmatched', allocations: [], suggestions: [] } as const;

/** Reason why an operator has to check, although the orders are known. */
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

/** Orders of the references, each once, in the order of sighting. */
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

/** Merchants choose order numbers freely: orders whose payers received this account rank first. */
const byAccount = ({ account }: BankLine, one: KnownOrder, other: KnownOrder): number =>
  Number(other.instructedAccount === account) - Number(one.instructedAccount === account);

/** A number with many digits rarely appears by chance. */
const byDigits = (one: KnownOrder, other: KnownOrder): number =>
  digitsIn(other.orderMerchantId) - digitsIn(one.orderMerchantId);

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** Outstanding amount in minor units. */
export const dueOf = ({ amount, amountReceived }: KnownOrder): number => amount - amountReceived;

/** Whether the order awaits payment. */
export const waits = ({ status }: KnownOrder): boolean =>
  status === 'open' || status === 'processing';

const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);
