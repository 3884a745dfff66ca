/** SQL fragments that store events and queue their deliveries, for statements that change orders. */

import { dueBy } from '../due.js';
import { jsonOf } from '../entity-sql.js';
import { otherPayments } from '../orders/order.rows.js';
import { Payment } from '../payments/payment.entity.js';
import { PAYMENT_SNAPSHOT } from './event.entity.js';

const payment = (alias: string): string => jsonOf(alias, Payment, PAYMENT_SNAPSHOT);

/** Snapshot of order `o` with its payments, where `p` is the current one: see `OrderSnapshot`. */
export const SNAPSHOT = `jsonb_build_object(
  'status', o.status, 'statusReason', o.status_reason, 'exception', o.exception,
  'amountReceived', o.amount_received, 'amountRefunded', o.amount_refunded, 'paidAt', o.paid_at,
  'payment', CASE WHEN p.id IS NOT NULL THEN ${payment('p')} END)
  || CASE WHEN o.attempts > 1 THEN jsonb_build_object('others', ${otherPayments(payment('q'))})
    ELSE '{}' END
  || CASE WHEN o.amount_refund_pending > 0 THEN jsonb_build_object(
    'amountRefundPending', o.amount_refund_pending) ELSE '{}' END
  || CASE WHEN o.amount_charged_back > 0 THEN jsonb_build_object(
    'amountChargedBack', o.amount_charged_back) ELSE '{}' END
  || CASE WHEN o.original_amount IS NOT NULL THEN jsonb_build_object(
    'amount', o.amount, 'expiresAt', o.expires_at) ELSE '{}' END`;

/** A UUIDv7 with the timestamp of the UUIDv7 `id`, so that derived rows are stored next to each other. */
export const uuidv7Beside = (id: string): string =>
  `overlay(gen_random_uuid()::text PLACING left(${id}::text, 15) FROM 1 FOR 15)::uuid`;

const COLUMNS = `merchant_id, id, mode, type, event_id, txid, sequence, endpoint_id, recipient_id,
  created_at, next_attempt_at`;

/** Queues the events in `happened` to each row of `target`, due immediately. */
const deliveries = (endpoint: string, recipient: string, target: string): string => `
  INSERT INTO deliveries (${COLUMNS})
  SELECT h.merchant_id, ${uuidv7Beside('h.id')}, h.mode, h.type, h.id, h.txid, h.sequence,
    ${endpoint}, ${recipient}, h.created_at, ${dueBy('h.created_at')}
  FROM happened h JOIN ${target}`;

/** The relation in which a statement has the orders of its events, and its columns. */
export interface OrdersTold {
  readonly from: string;
  readonly merchantId: string;
  readonly txid: string;
  readonly optionalFields: string;
}

/** For a table or CTE with the columns of orders. */
export const ordersIn = (table: string): OrdersTold => ({
  from: `${table} its_order`,
  merchantId: 'its_order.merchant_id',
  txid: 'its_order.txid',
  optionalFields: 'its_order.optional_fields',
});

/** Whether the order of event `e` has the optional field by which the endpoint filters. */
export const hasField = (e: string, key: string, value: string, orders: OrdersTold): string =>
  `EXISTS (SELECT FROM ${orders.from} WHERE ${orders.merchantId} = ${e}.merchant_id
    AND ${orders.txid} = ${e}.txid AND ${orders.optionalFields} ->> ${key} = ${value})`;

/**
 * Queues events to subscribed endpoints. An order created by the same statement is not visible in its table yet, so the
 * caller passes the relation; events without an order go only to endpoints without field filter.
 */
export const queueWebhooks = (orders: OrdersTold | null): string =>
  deliveries(
    't.id',
    'NULL::uuid',
    `webhook_endpoints t ON t.merchant_id = h.merchant_id AND t.mode = h.mode
   AND t.enabled AND t.deleted_at IS NULL
   AND (t.event_types = '{}' OR h.type = ANY (t.event_types))
   AND (t.field_key IS NULL${orders ? ` OR ${hasField('h', 't.field_key', 't.field_value', orders)}` : ''})`,
  );

/** For statements that change orders and return them as `changed`. */
export const QUEUE_WEBHOOKS = queueWebhooks(ordersIn('changed'));

/** Queues mails about paid orders to subscribed recipients. */
export const QUEUE_MAILS = deliveries(
  'NULL::uuid',
  't.id',
  `notification_recipients t ON t.merchant_id = h.merchant_id AND t.mode = h.mode
   AND h.type = 'order.paid' AND t.confirmed_at IS NOT NULL AND t.unsubscribed_at IS NULL
   AND t.deleted_at IS NULL
   JOIN changed o ON o.merchant_id = h.merchant_id AND o.txid = h.txid
   AND o.amount >= coalesce(t.minimum_amount, 0)`,
);
