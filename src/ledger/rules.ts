import type { NewTransfer } from '../database/ledger/ledger.repository.js';
import type { Account, TransferKind } from '../database/ledger/transfer.entity.js';

/** What payouts leave from; a bank, as far as the ledger is concerned, takes and gives as providers do. */
export const BANK: Account = 'clearing:bank';

/** Between which accounts each kind of transfer moves money; `clearing` is that of the payment's provider. */
export const RULES = {
  /** A payment that its order explains. */
  payment: { debit: 'clearing', credit: 'available' },
  /** Money that no order explains: too much, too late, twice, a part, another currency. */
  unallocated: { debit: 'clearing', credit: 'unallocated' },
  /** Parts that came before the order was paid, once it is, and late money that is accepted. */
  allocation: { debit: 'unallocated', credit: 'available' },
  fee: { debit: 'available', credit: 'fees' },
  /** Unallocated money that a person has sent back to whoever paid it. */
  refund: { debit: 'unallocated', credit: 'clearing' },
  /** Money of a paid order that the payer's bank took back, or that was not the order's after all. */
  charge_back: { debit: 'available', credit: 'clearing' },
  /** The same of money that no order explained. */
  unallocated_back: { debit: 'unallocated', credit: 'clearing' },
  /** What is left of the price of an order that is not paid any more, because a match was undone. */
  deallocation: { debit: 'available', credit: 'unallocated' },
  /** Money that a bank was said to have taken back, and had not; what is the merchant's of it is an `allocation`. */
  return_undone: { debit: 'clearing', credit: 'unallocated' },
  payout_reserved: { debit: 'available', credit: 'payout_pending' },
  payout_released: { debit: 'payout_pending', credit: 'available' },
  payout_paid: { debit: 'payout_pending', credit: BANK },
  payout_returned: { debit: BANK, credit: 'available' },
} as const satisfies Record<
  Exclude<TransferKind, 'reversal'>,
  { readonly debit: Account | 'clearing'; readonly credit: Account | 'clearing' }
>;

type RuleKind = keyof typeof RULES;

/** Kinds that a payment, or a change of a payout, causes. */
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

/** What one transfer moves, in minor units. */
export interface Booking {
  readonly kind: PaymentTransferKind;
  readonly amount: number;
}

/** Money that came with a payment. Amounts are minor units of the money's own currency. */
export interface Arrival {
  readonly amount: number;
  /** Set when it made the order paid. */
  readonly completes: {
    /** What the order asks for. */
    readonly amount: number;
    /** Parts of it that came before. */
    readonly before: number;
    readonly fee: number;
  } | null;
}

/**
 * What is booked when a person accepts money that came after an order's end, for each arrival. What
 * arrived beyond the `amount` that counts stays unallocated; the fee is taken with the last arrival.
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
 * Of which payments money is sent back: of the newest first, of each at most what is left of what it
 * brought.
 * @param amount at most what is left of all of them
 */
export function refundsOf(amount: number, left: readonly number[]): number[] {
  let due = amount;
  return left
    .toReversed()
    .map((most) => {
      // Below 0 where more was taken back than was left of the payment's own.
      const part = Math.min(due, Math.max(most, 0));
      due -= part;
      return part;
    })
    .toReversed();
}

/**
 * What is booked when money of an order is taken back: first what nothing explains of all that came for it, which
 * nobody misses, then the merchant's own.
 * @param unallocated what is left of it
 */
export function takenBackOf(amount: number, unallocated: number): Booking[] {
  const apart = Math.min(amount, Math.max(unallocated, 0));
  const bookings: Booking[] = [
    { kind: 'unallocated_back', amount: apart },
    { kind: 'charge_back', amount: amount - apart },
  ];
  return bookings.filter((booking) => booking.amount > 0);
}

/** What is booked when money arrives. The amounts from the provider's account sum to what arrived. */
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

/** The bookings of money that moves with a provider, between the accounts that the rules name. */
export function transfersOf(provider: string, bookings: readonly Booking[]): NewTransfer[] {
  const clearing = `clearing:${provider}` as const;
  const at = (account: Account | 'clearing') => (account === 'clearing' ? clearing : account);
  return bookings.map((booking) => {
    const { debit, credit } = RULES[booking.kind];
    return { ...booking, debit: at(debit), credit: at(credit) };
  });
}
