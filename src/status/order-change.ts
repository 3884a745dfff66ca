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
  /** What was sent back, in minor units; below 0 when it was not after all. */
  readonly refund?: { readonly amount: number; readonly currency: string };
  /** Money came that counts for nothing, such as in another currency. */
  readonly isMoreMoney?: true;
  /** What the merchant pays for the order, in minor units. */
  readonly fee?: number;
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
  isFinished(to) && !isFinished(order.status) && to !== 'paid';

/** The change's columns. */
function patchOf(order: Order, change: OrderChange, now: Date): OrderPatch {
  return {
    status: change.to,
    statusReason: change.reason,
    ...(change.exception === undefined ? {} : { exception: change.exception }),
    ...(change.amountReceived === undefined ? {} : { amountReceived: change.amountReceived }),
    ...(change.refund && change.refund.currency === order.currency
      ? { amountRefunded: order.amountRefunded + change.refund.amount }
      : {}),
    ...(change.fee === undefined ? {} : { fee: change.fee }),
    ...(change.paymentId === undefined ? {} : { paymentId: change.paymentId }),
    ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
    ...(change.to === 'paid' && order.status !== 'paid'
      ? { paidAt: notBefore(order.createdAt, now) }
      : {}),
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

/** Clocks of two processes differ; no order is paid before it was made. */
const notBefore = (earliest: Date, moment: Date): Date => (moment < earliest ? earliest : moment);

function eventsOf(order: Order, change: OrderChange): NewEvent[] {
  const data = { from: order.status, status: change.to, statusReason: change.reason };
  const events: NewEvent[] = [];
  if (change.failed) events.push({ type: 'payment.failed', data: { ...data, ...change.failed } });
  const moved = change.to !== order.status || change.reason !== order.statusReason;
  if (moved && change.to !== 'open') events.push({ type: EVENT_OF_STATUS[change.to], data });
  const { exception = order.exception, amountReceived = order.amountReceived } = change;
  const moreMoney = change.isMoreMoney ?? amountReceived !== order.amountReceived;
  if (exception !== 'none' && (exception !== order.exception || moreMoney)) {
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
  if (change.to !== order.status) assertAllowed(order.status, change.to, change.reason);
  // Clocks of two processes differ, and an order's events must not go back in time.
  const at = now < order.updatedAt ? order.updatedAt : now;
  const events = eventsOf(order, change);
  if (events.length > 0) return { patch: patchOf(order, change, at), events, at };
  if (change.to !== order.status) throw new Error('an order may not move without an event');
  return null;
}
