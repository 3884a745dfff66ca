import {
  type AskedOrder,
  isFinished,
  type Order,
  type OrderStatus,
} from '../database/orders/order.entity.js';
import type { NewEvent, OrderPatch } from '../database/orders/order.repository.js';
import { assertAllowed } from './transitions.js';

/** A change of an order: where it goes (or stays), and what else becomes different. */
export interface OrderChange {
  readonly to: OrderStatus;
  readonly reason: string | null;
  readonly exception?: Order['exception'];
  readonly amountReceived?: number;
  /** What a bank took back of it now, in minor units. */
  readonly chargedBack?: number;
  /** The match that paid the order is undone, so that it is not paid any more. */
  readonly isUndo?: true;
  /** When the order was paid after all, because another payment paid it than was thought. */
  readonly paidAt?: Date;
  /** What was sent back, in minor units; below 0 when it was not after all. */
  readonly refund?: { readonly amount: number; readonly currency: string };
  /** Money came that counts for nothing, such as in another currency. */
  readonly isMoreMoney?: true;
  /** What the merchant pays for the order, in minor units; null = it is not paid any more. */
  readonly fee?: number | null;
  readonly paymentId?: string;
  readonly attempts?: number;
  /** The payment that failed, when one did. */
  readonly failed?: { readonly paymentId: string; readonly code: string };
  /** What its merchant asks for now instead; nothing of it is as it was. */
  readonly asked?: Partial<AskedOrder>;
  /** Until when it can be paid from now on. */
  readonly expiresAt?: Date;
  /** The payment whose payer became known after it had ended. */
  readonly updated?: { readonly paymentId: string };
}

const EVENT_OF_STATUS = {
  processing: 'order.processing',
  paid: 'order.paid',
  failed: 'order.failed',
  cancelled: 'order.cancelled',
  expired: 'order.expired',
} as const;

/** An order that ends unpaid frees its `orderMerchantId`: a part of its money is for a person to see to. */
const endsUnpaid = (order: Order, { to }: OrderChange): boolean =>
  isFinished(to) && to !== 'paid' && (!isFinished(order.status) || order.status === 'paid');

const staysPaid = (order: Order, { to }: OrderChange): boolean =>
  to === 'paid' && order.status === 'paid';

/** A change of when the order was paid; clocks of two processes differ, and no order is paid before it was made. */
function paidAtOf(order: Order, change: OrderChange, now: Date): Pick<OrderPatch, 'paidAt'> {
  if (change.to !== 'paid') return order.status === 'paid' ? { paidAt: null } : {};
  if (staysPaid(order, change) && !change.paidAt) return {};
  return { paidAt: notBefore(order.createdAt, change.paidAt ?? now) };
}

/** The change's columns. */
function patchOf(order: Order, change: OrderChange, now: Date): OrderPatch {
  return {
    status: change.to,
    statusReason: change.reason,
    ...(change.exception === undefined ? {} : { exception: change.exception }),
    ...(change.amountReceived === undefined ? {} : { amountReceived: change.amountReceived }),
    ...(change.chargedBack
      ? { amountChargedBack: order.amountChargedBack + change.chargedBack }
      : {}),
    ...(change.refund && change.refund.currency === order.currency
      ? { amountRefunded: order.amountRefunded + change.refund.amount }
      : {}),
    ...(change.fee === undefined ? {} : { fee: change.fee }),
    ...(change.paymentId === undefined ? {} : { paymentId: change.paymentId }),
    ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
    ...paidAtOf(order, change, now),
    ...(change.expiresAt ? { ...originalOf(order), expiresAt: change.expiresAt } : {}),
    ...(change.asked ? { ...originalOf(order), ...change.asked } : {}),
    ...(endsUnpaid(order, change) ? { holdsMerchantId: false } : {}),
    ...(change.to === 'paid' && !order.holdsMerchantId ? { holdsMerchantId: true } : {}),
  };
}

/** What events that were written before tell of it. */
const originalOf = ({ originalAmount, amount, originalExpiresAt, expiresAt }: Order) => ({
  originalAmount: originalAmount ?? amount,
  originalExpiresAt: originalExpiresAt ?? expiresAt,
});

const notBefore = (earliest: Date, moment: Date): Date => (moment < earliest ? earliest : moment);

/**
 * The event that tells of the new status. An order that opens again after a failed payment has none, nor has one that
 * stays paid, though by another payment: programs ship what is told of as paid.
 */
function typeOf(order: Order, change: OrderChange): NewEvent['type'] | null {
  const { to } = change;
  if (staysPaid(order, change)) return null;
  const waits = to === 'open' || to === 'processing';
  if (order.status === 'paid' && waits) return 'order.reopened';
  return to === 'open' ? null : EVENT_OF_STATUS[to];
}

function eventsOf(order: Order, change: OrderChange): NewEvent[] {
  const data = { from: order.status, status: change.to, statusReason: change.reason };
  const events: NewEvent[] = [];
  if (change.failed) events.push({ type: 'payment.failed', data: { ...data, ...change.failed } });
  const moved = change.to !== order.status || change.reason !== order.statusReason;
  const type = typeOf(order, change);
  if (moved && type) events.push({ type, data });
  const { exception = order.exception, amountReceived = order.amountReceived } = change;
  const moreMoney = change.isMoreMoney ?? amountReceived !== order.amountReceived;
  // An exception that is over is told of by itself, unless the new status tells of it.
  if (
    (exception !== order.exception || moreMoney) &&
    (exception !== 'none' || events.length === 0)
  ) {
    events.push({ type: 'order.exception', data: { ...data, exception, amountReceived } });
  }
  if (change.refund) {
    events.push({ type: 'order.refunded', data: { ...data, refund: change.refund } });
  }
  if (change.updated) {
    events.push({ type: 'payment.updated', data: { ...data, ...change.updated } });
  }
  if (change.asked) {
    events.push({ type: 'order.updated', data: { ...data, changed: Object.keys(change.asked) } });
  }
  return events;
}

/** What a change writes, and as of when. */
export interface ChangePlan {
  readonly patch: OrderPatch;
  readonly events: readonly NewEvent[];
  readonly at: Date;
}

/**
 * What a change writes, or null when nothing would be different.
 * @throws Error when the transition table does not allow it
 */
export function planChange(order: Order, change: OrderChange, now: Date): ChangePlan | null {
  if (change.to !== order.status)
    assertAllowed(order.status, change.to, change.reason, change.isUndo);
  // Clocks of two processes differ, and an order's events must not go back in time.
  const at = now < order.updatedAt ? order.updatedAt : now;
  const events = eventsOf(order, change);
  if (events.length > 0) return { patch: patchOf(order, change, at), events, at };
  if (change.to !== order.status) throw new Error('an order may not move without an event');
  return null;
}
