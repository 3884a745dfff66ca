import { deadlineDay } from '../common/time/bank-days.js';
import type { BankAllocation } from '../database/bank/matching/bank-allocation.entity.js';
import type { NewAllocation } from '../database/bank/matching/bank-allocation.repository.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import type { PaidOrder } from '../database/payments/paid-order.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import type { Payer } from '../providers/provider.js';
import { paidInFull } from './fast-path-payment.js';

/** Money of a bank line for an order. */
export interface Credit {
  readonly lineId: string;
  /** Minor units of `currency`, which is the order's. */
  readonly amount: number;
  readonly currency: string;
  readonly payer: Payer;
  /** Booking day (`YYYY-MM-DD`), which decides whether the money is in time. */
  readonly bookedOn: string;
  /** User who matched it; null = the rules. */
  readonly matchedBy: string | null;
  readonly evidence: BankAllocation['evidence'];
}

/** A locked order with all of its payments, the oldest first. */
export interface HeldOrder {
  readonly order: Order;
  readonly payments: readonly PricedPayment[];
}

export interface HeldCredit {
  readonly held: HeldOrder;
  readonly credit: Credit;
}

export const outcomeOf = ({ amount, currency, payer }: Credit) =>
  ({ kind: 'accepted', amount, currency, payer }) as const;

export const allocationOf = (
  { merchantId, id: paymentId, txid }: Payment,
  { lineId, amount, evidence, matchedBy }: Credit,
  now: Date,
): NewAllocation => ({
  merchantId,
  paymentId,
  txid,
  lineId,
  amount,
  evidence,
  matchedBy,
  createdAt: now,
});

/** Rows of a credit that is exactly the transfer its order waits for; null for any other. */
export function plainlyCredited(
  { order, payments }: HeldOrder,
  credit: Credit,
  now: Date,
): PaidOrder | null {
  const payment = waitingOf(payments);
  const isTheOne = awaitsTransfer(order) && payment?.id === order.paymentId;
  if (!isTheOne || payment?.status !== 'pending' || !isInTime(order, credit, now)) return null;
  return paidInFull({ order, payment }, outcomeOf(credit), now);
}

/** Compares booking days. A future booking day counts as today. */
export function isInTime({ expiresAt }: Order, { bookedOn }: Credit, now: Date): boolean {
  const today = now.toISOString().slice(0, 10);
  const day = bookedOn < today ? bookedOn : today;
  return day <= deadlineDay(expiresAt);
}

/** The pending payment, or the last one that was given up without money. */
export function waitingOf(payments: readonly PricedPayment[]): PricedPayment | undefined {
  const unpaid = payments.filter(
    ({ provider, amountReceived }) => provider === BANK_TRANSFER && amountReceived === null,
  );
  return (
    unpaid.find(({ status }) => status === 'pending') ??
    unpaid.findLast(({ status }) => status === 'cancelled')
  );
}
