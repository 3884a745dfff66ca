/** Parts of the statements that change orders: what they tell, and whom. */

import { dueBy } from '../due.js';

/** What an event keeps of the order `o` and its payment `p`: see `OrderSnapshot`. */
export const SNAPSHOT = `jsonb_build_object(
  'status', o.status, 'statusReason', o.status_reason, 'exception', o.exception,
  'amountReceived', o.amount_received, 'amountRefunded', o.amount_refunded, 'paidAt', o.paid_at,
  'payment', CASE WHEN p.id IS NOT NULL THEN jsonb_build_object(
    'id', p.id, 'status', p.status, 'amountReceived', p.amount_received,
    'receivedCurrency', p.received_currency, 'errorCode', p.error_code,
    'errorMessage', p.error_message, 'completedAt', p.completed_at) END)`;

/** A UUIDv7 of the moment of the UUIDv7 `id`: rows that follow from one lie beside each other. */
export const uuidv7Beside = (id: string): string =>
  `overlay(gen_random_uuid()::text PLACING left(${id}::text, 15) FROM 1 FOR 15)::uuid`;

const COLUMNS = `merchant_id, id, mode, type, event_id, txid, sequence, endpoint_id, recipient_id,
  created_at, next_attempt_at`;

/** The rows of `happened` to everybody in `target`, due at once. */
const deliveries = (endpoint: string, recipient: string, target: string): string => `
  INSERT INTO deliveries (${COLUMNS})
  SELECT h.merchant_id, ${uuidv7Beside('h.id')}, h.mode, h.type, h.id, h.txid, h.sequence,
    ${endpoint}, ${recipient}, h.created_at, ${dueBy('h.created_at')}
  FROM happened h JOIN ${target}`;

/** Events to the endpoints that want them. */
export const QUEUE_WEBHOOKS = deliveries(
  't.id',
  'NULL::uuid',
  `webhook_endpoints t ON t.merchant_id = h.merchant_id AND t.mode = h.mode
   AND t.enabled AND t.deleted_at IS NULL
   AND (t.event_types = '{}' OR h.type = ANY (t.event_types))`,
);

/** Paid orders to the mailboxes that want them. */
export const QUEUE_MAILS = deliveries(
  'NULL::uuid',
  't.id',
  `notification_recipients t ON t.merchant_id = h.merchant_id AND t.mode = h.mode
   AND h.type = 'order.paid' AND t.confirmed_at IS NOT NULL AND t.unsubscribed_at IS NULL
   AND t.deleted_at IS NULL
   JOIN changed o ON o.merchant_id = h.merchant_id AND o.txid = h.txid
   AND o.amount >= coalesce(t.minimum_amount, 0)`,
);
