import type { NewTransfer } from '../database/ledger/ledger.repository.js';
import type { Account, TransferKind } from '../database/ledger/transfer.entity.js';

/** Clearing account of payouts; the ledger treats the bank like a provider. */
export const BANK: Account = 'clearing:bank';

/** Account of money that refunds have reserved. */
const REFUNDS: Account = 'refund_pending';

/** Debit and credit account per kind of transfer; `clearing` is that of the payment's provider. */
export const RULES = {
  /** A payment that fits its order. */
  payment: { debit: 'clearing', credit: 'available' },
  /** Unallocated funds: too much, too late, duplicate, partial, or in another currency. */
  unallocated: { debit: 'clearing', credit: 'unallocated' },
  /** Partial payments once the order is paid, and accepted late payments. */
  allocation: { debit: 'unallocated', credit: 'available' },
  fee: { debit: 'available', credit: 'fees' },
  /** Refund of unallocated funds to the payer. */
  refund: { debit: 'unallocated', credit: 'clearing' },
  /** Money of a paid order that the payer's bank took back, or that was matched by mistake. */
  charge_back: { debit: 'available', credit: 'clearing' },
  /** The same for unallocated funds. */
  unallocated_back: { debit: 'unallocated', credit: 'clearing' },
  /** Rest of the price of an order that is no longer paid because a match was undone. */
  deallocation: { debit: 'available', credit: 'unallocated' },
  /** A recorded return that did not happen; the merchant's share follows as an `allocation`. */
  return_undone: { debit: 'clearing', credit: 'unallocated' },
  payout_reserved: { debit: 'available', credit: 'payout_pending' },
  payout_released: { debit: 'payout_pending', credit: 'available' },
  payout_paid: { debit: 'payout_pending', credit: BANK },
  payout_returned: { debit: BANK, credit: 'available' },
} as const satisfies Record<
  Exclude<TransferKind, 'reversal' | RefundTransferKind>,
  { readonly debit: Account | 'clearing'; readonly credit: Account | 'clearing' }
>;

type RuleKind = keyof typeof RULES;

/** Kinds caused by a refund. */
export type RefundTransferKind = Extract<TransferKind, `refund_${string}`>;

/** Kinds caused by a payment or a payout. */
export type PaymentTransferKind = Extract<
  RuleKind,
  | 'payment'
  | 'unallocated'
  | 'allocation'
  | 'fee'
  | 'refund'
  | 'charge_back'
  | 'unallocated_back'
  | 'deallocation'
  | 'return_undone'
>;
export type PayoutTransferKind = Extract<RuleKind, `payout_${string}`>;

/** Amount of one transfer, in minor units. */
export interface Booking {
  readonly kind: PaymentTransferKind;
  readonly amount: number;
}

/** Money of a payment. Amounts are minor units of its own currency. */
export interface Arrival {
  readonly amount: number;
  /** Set if it completes the payment of the order. */
  readonly completes: {
    /** Amount of the order. */
    readonly amount: number;
    /** Earlier partial payments. */
    readonly before: number;
    readonly fee: number;
  } | null;
}

/**
 * Bookings per arrival for accepted late payments. Money beyond `amount` stays unallocated; the fee is taken with the
 * last arrival.
 */
export function acceptanceOf(
  { amount, fee }: { readonly amount: number; readonly fee: number },
  arrivals: readonly number[],
): Booking[][] {
  let due = amount;
  return arrivals.map((arrived, i) => {
    const counted = Math.min(due, arrived);
    due -= counted;
    const bookings: Booking[] = [
      { kind: 'allocation', amount: counted },
      { kind: 'fee', amount: i === arrivals.length - 1 ? fee : 0 },
    ];
    return bookings.filter((booking) => booking.amount > 0);
  });
}

/**
 * Splits a refund over payments: the newest first, each up to what is left of it.
 * @param amount at most the sum of what is left
 */
export function refundsOf(amount: number, left: readonly number[]): number[] {
  let due = amount;
  return left
    .toReversed()
    .map((most) => {
      // Below 0 if more was taken back than the payment had left.
      const part = Math.min(due, Math.max(most, 0));
      due -= part;
      return part;
    })
    .toReversed();
}

/**
 * Bookings for money of an order that is taken back: unallocated funds first, then the merchant's balance.
 * @param unallocated unallocated funds of the order
 */
export function takenBackOf(amount: number, unallocated: number): Booking[] {
  const apart = Math.min(amount, Math.max(unallocated, 0));
  const bookings: Booking[] = [
    { kind: 'unallocated_back', amount: apart },
    { kind: 'charge_back', amount: amount - apart },
  ];
  return bookings.filter((booking) => booking.amount > 0);
}

/** Bookings for arrived money. The amounts from the provider's clearing account add up to it. */
export function bookingsOf({ amount, completes }: Arrival): Booking[] {
  if (!completes) return [{ kind: 'unallocated', amount }];
  const own = completes.amount - completes.before;
  const bookings: Booking[] = [
    { kind: 'payment', amount: own },
    { kind: 'allocation', amount: completes.before },
    { kind: 'fee', amount: completes.fee },
    { kind: 'unallocated', amount: amount - own },
  ];
  return bookings.filter((booking) => booking.amount > 0);
}

/**
 * Transfers of a refund, which takes unallocated funds of its order first, then the merchant's money.
 * @param provider of the payment
 */
export function refundTransfersOf(
  kind: RefundTransferKind,
  { amount, fromUnallocated }: { readonly amount: number; readonly fromUnallocated: number },
  provider: string,
): NewTransfer[] {
  const clearing = `clearing:${provider}` as const;
  if (kind === 'refund_paid') return [{ kind, debit: REFUNDS, credit: clearing, amount }];
  const other = kind === 'refund_returned' ? clearing : REFUNDS;
  const parts = [
    { source: 'unallocated', amount: fromUnallocated },
    { source: 'available', amount: amount - fromUnallocated },
  ] as const;
  return parts
    .filter((part) => part.amount > 0)
    .map(({ source, amount: part }) =>
      kind === 'refund_reserved'
        ? { kind, debit: source, credit: other, amount: part }
        : { kind, debit: other, credit: source, amount: part },
    );
}

/** Transfers between the accounts of the rules, for a provider. */
export function transfersOf(provider: string, bookings: readonly Booking[]): NewTransfer[] {
  const clearing = `clearing:${provider}` as const;
  const at = (account: Account | 'clearing') => (account === 'clearing' ? clearing : account);
  return bookings.map((booking) => {
    const { debit, credit } = RULES[booking.kind];
    return { ...booking, debit: at(debit), credit: at(credit) };
  });
}
