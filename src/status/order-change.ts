import {
  type EditableOrderFields,
  isFinished,
  type Order,
  type OrderStatus,
} from '../database/orders/order.entity.js';
import type { RefundEventType, RefundSnapshot } from '../database/notifications/event.entity.js';
import type { NewEvent, OrderPatch } from '../database/orders/order.repository.js';
import { assertAllowed } from './transitions.js';

/** A change of an order: new (or same) status, and changed values. */
export interface OrderChange {
  readonly to: OrderStatus;
  readonly reason: string | null;
  readonly exception?: Order['exception'];
  readonly amountReceived?: number;
  /** Amount of this chargeback, in minor units. */
  readonly chargedBack?: number;
  /** The match that paid the order is undone, so it is no longer paid. */
  readonly isUndo?: true;
  /** Time of payment, if another payment than assumed completed the order. */
  readonly paidAt?: Date;
  /** Refunded amount in minor units; negative for an undone refund. */
  readonly refund?: { readonly amount: number; readonly currency: string };
  /** A refund of the order that moved. */
  readonly refundMove?: {
    readonly type: RefundEventType;
    readonly refund: RefundSnapshot;
    /** Change of the amount of refunds in progress, in minor units. */
    readonly pending: number;
  };
  /** Money arrived that does not count, such as in another currency. */
  readonly isMoreMoney?: true;
  /** Fee in minor units; null = the order is no longer paid. */
  readonly fee?: number | null;
  readonly paymentId?: string;
  readonly attempts?: number;
  /** The failed payment, if any. */
  readonly failed?: { readonly paymentId: string; readonly code: string };
  /** Fields that the merchant changed; all of them differ. */
  readonly edits?: Partial<EditableOrderFields>;
  /** New expiry. */
  readonly expiresAt?: Date;
  /** Payment whose payer became known after its end. */
  readonly updated?: { readonly paymentId: string };
}

const EVENT_OF_STATUS = {
  processing: 'order.processing',
  paid: 'order.paid',
  failed: 'order.failed',
  cancelled: 'order.cancelled',
  expired: 'order.expired',
} as const;

/** An order that ends unpaid frees its `orderMerchantId`; an operator handles partial payments. */
const endsUnpaid = (order: Order, { to }: OrderChange): boolean =>
  isFinished(to) && to !== 'paid' && (!isFinished(order.status) || order.status === 'paid');

const staysPaid = (order: Order, { to }: OrderChange): boolean =>
  to === 'paid' && order.status === 'paid';

/** Change of `paidAt`. Clocks of processes differ, but no order is paid before its creation. */
function paidAtOf(order: Order, change: OrderChange, now: Date): Pick<OrderPatch, 'paidAt'> {
  if (change.to !== 'paid') return order.status === 'paid' ? { paidAt: null } : {};
  if (staysPaid(order, change) && !change.paidAt) return {};
  return { paidAt: notBefore(order.createdAt, change.paidAt ?? now) };
}

/** Columns of the change. */
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
    ...(change.refundMove?.pending
      ? { amountRefundPending: order.amountRefundPending + change.refundMove.pending }
      : {}),
    ...(change.fee === undefined ? {} : { fee: change.fee }),
    ...(change.paymentId === undefined ? {} : { paymentId: change.paymentId }),
    ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
    ...paidAtOf(order, change, now),
    ...(change.expiresAt ? { ...originalOf(order), expiresAt: change.expiresAt } : {}),
    ...(change.edits ? { ...originalOf(order), ...change.edits } : {}),
    ...(endsUnpaid(order, change) ? { holdsMerchantId: false } : {}),
    ...(change.to === 'paid' && !order.holdsMerchantId ? { holdsMerchantId: true } : {}),
  };
}

/** Previous values, as earlier events show them. */
const originalOf = ({ originalAmount, amount, originalExpiresAt, expiresAt }: Order) => ({
  originalAmount: originalAmount ?? amount,
  originalExpiresAt: originalExpiresAt ?? expiresAt,
});

const notBefore = (earliest: Date, moment: Date): Date => (moment < earliest ? earliest : moment);

/**
 * Event for the new status. An order that reopens after a failed payment has none, nor one that stays paid by another
 * payment: programs ship on `order.paid`.
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
  // The end of an exception has an event of its own, unless the status event covers it.
  if (
    (exception !== order.exception || moreMoney) &&
    (exception !== 'none' || events.length === 0)
  ) {
    events.push({ type: 'order.exception', data: { ...data, exception, amountReceived } });
  }
  if (change.refundMove) {
    const { type: refundType, refund } = change.refundMove;
    events.push({ type: refundType, data: { ...data, refundAsOf: refund } });
  }
  if (change.refund) {
    events.push({ type: 'order.refunded', data: { ...data, refund: change.refund } });
  }
  if (change.updated) {
    events.push({ type: 'payment.updated', data: { ...data, ...change.updated } });
  }
  if (change.edits) {
    events.push({ type: 'order.updated', data: { ...data, changed: Object.keys(change.edits) } });
  }
  return events;
}

/** Rows and time of a change. */
export interface ChangePlan {
  readonly patch: OrderPatch;
  readonly events: readonly NewEvent[];
  readonly at: Date;
}

/**
 * Rows of a change, or null if nothing differs.
 * @throws Error for a transition that the table does not allow
 */
export function planChange(order: Order, change: OrderChange, now: Date): ChangePlan | null {
  if (change.to !== order.status)
    assertAllowed(order.status, change.to, change.reason, change.isUndo);
  // Clocks of processes differ, but events of an order must not go back in time.
  const at = now < order.updatedAt ? order.updatedAt : now;
  const events = eventsOf(order, change);
  if (events.length > 0) return { patch: patchOf(order, change, at), events, at };
  if (change.to !== order.status) throw new Error('an order may not move without an event');
  return null;
}
