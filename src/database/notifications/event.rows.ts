import type { OrderWithPayment } from '../orders/order.entity.js';
import { ORDER_WITH_PAYMENTS_COLUMNS, withPayments } from '../orders/order.rows.js';
import type { Payment } from '../payments/payment.entity.js';
import { Payout, PAYOUT_SNAPSHOT, type PublicPayout } from '../payouts/payout.entity.js';
import { type PublicRefund, Refund, REFUND_SNAPSHOT } from '../refunds/refund.entity.js';
import { columnsOf, fromJson, split } from '../entity-sql.js';
import {
  MerchantEvent,
  type OrderEventData,
  type OrderSnapshot,
  type PaymentSnapshot,
  type PayoutSnapshot,
  type RefundSnapshot,
} from './event.entity.js';

type ReadEvent = Omit<MerchantEvent, 'data'>;

/** An event with the order as of the event. */
export interface EventOfOrder {
  readonly event: ReadEvent;
  readonly order: OrderWithPayment;
  /** The refund as of a refund event. */
  readonly refund: PublicRefund | null;
}

/** An event with the payout as of the event. */
export interface EventOfPayout {
  readonly event: ReadEvent;
  readonly payout: PublicPayout;
}

export type EventWithSubject = EventOfOrder | EventOfPayout;

const EVENT_PREFIX = 'event.';

/** An event with its order and the order's payment at that time; a payout event has its payout in `data`. */
export const EVENTS = `SELECT ${columnsOf('e', MerchantEvent, undefined, EVENT_PREFIX)},
    r.reason AS "${EVENT_PREFIX}refundReason", ${ORDER_WITH_PAYMENTS_COLUMNS}
  FROM events e
  LEFT JOIN orders o ON o.merchant_id = e.merchant_id AND o.txid = e.txid
  LEFT JOIN payments p ON p.merchant_id = e.merchant_id
    AND p.id = (e.data -> 'payment' ->> 'id')::uuid
  LEFT JOIN refunds r ON r.merchant_id = e.merchant_id
    AND r.id = (e.data -> 'refundAsOf' ->> 'id')::uuid`;

/** Maps a row of `EVENTS`: the event's snapshot overrides the current order. */
export function asOf(row: Readonly<Record<string, unknown>>): EventWithSubject {
  const [order, own] = split(row, EVENT_PREFIX);
  const { data, refundReason, ...event } = own as unknown as MerchantEvent & {
    readonly refundReason: string | null;
  };
  return event.payoutId === null
    ? eventOfOrder(event, data as OrderEventData, withPayments(order), refundReason)
    : { event, payout: payoutAsOf(event, data as PayoutSnapshot) };
}

const eventOfOrder = (
  event: ReadEvent,
  data: OrderEventData,
  now: OrderWithPayment,
  reason: string | null,
): EventOfOrder => ({
  event,
  order: orderAsOf(event, data, now),
  refund: data.refundAsOf ? { ...refundAsOf(data.refundAsOf, now), reason } : null,
});

const refundAsOf = (
  then: RefundSnapshot,
  { mode, txid, orderMerchantId }: OrderWithPayment,
): Omit<PublicRefund, 'reason'> => ({
  ...fromJson(Refund, REFUND_SNAPSHOT, then),
  mode,
  txid,
  orderMerchantId,
});

const moment = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

const orderAsOf = (
  { createdAt }: ReadEvent,
  then: OrderSnapshot,
  now: OrderWithPayment,
): OrderWithPayment => ({
  ...now,
  status: then.status,
  statusReason: then.statusReason ?? null,
  exception: then.exception ?? 'none',
  amountReceived: then.amountReceived ?? 0,
  amountRefunded: then.amountRefunded ?? 0,
  amountRefundPending: then.amountRefundPending ?? 0,
  amountChargedBack: then.amountChargedBack ?? 0,
  paidAt: moment(then.paidAt),
  amount: then.amount ?? now.originalAmount ?? now.amount,
  expiresAt: moment(then.expiresAt) ?? now.originalExpiresAt ?? now.expiresAt,
  updatedAt: createdAt,
  payment: now.payment && paymentAsOf(now.payment, then.payment!),
  payments: paymentsAsOf(now.payments, [then.payment ?? [], then.others ?? []].flat()),
});

/** Payments in the event's snapshot, in order of creation. */
const paymentsAsOf = (
  now: readonly Payment[],
  then: readonly PaymentSnapshot[],
): readonly Payment[] =>
  now.flatMap((payment) => {
    const known = then.find(({ id }) => id === payment.id);
    return known ? [paymentAsOf(payment, known)] : [];
  });

/** Payer data is available only once the payment has ended. */
const paymentAsOf = (now: Payment, then: PaymentSnapshot): Payment => ({
  ...now,
  ...then,
  completedAt: moment(then.completedAt),
  ...(then.status === 'pending'
    ? { payerAccountNumber: null, payerAccountType: null, payerAccountName: null }
    : {}),
});

const payoutAsOf = (
  { payoutId, mode, createdAt }: ReadEvent,
  then: PayoutSnapshot,
): PublicPayout => ({
  ...fromJson(Payout, PAYOUT_SNAPSHOT, then),
  id: payoutId!,
  mode,
  updatedAt: createdAt,
});
