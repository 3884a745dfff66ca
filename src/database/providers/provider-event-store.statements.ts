import type { Statement } from '../database.js';
import { dueBy, LEASE } from '../due.js';
import { insertOf, columnRefs, recordOf } from '../entity-sql.js';
import { lookup } from '../lookup.js';
import { ORDER_WITH_PAYMENT_COLUMNS } from '../orders/order.rows.js';
import { PAID_IN_FULL, PAID_RECORD } from '../payments/paid-orders.statements.js';
import { PRICE, PRICE_JOIN } from '../payments/payment.rows.js';
import { ProviderEvent } from './provider-event.entity.js';

/** Columns of a new message. */
export const NEW_EVENT = [
  'merchantId',
  'id',
  'provider',
  'accountId',
  'mode',
  'providerEventId',
  'paymentId',
  'report',
  'body',
  'receivedAt',
  'appliedAt',
  'result',
  'nextAttemptAt',
] as const;

/** A pending payment with its processing order and fee rate. */
export const WAITING_ORDER = lookup(
  'order_that_waits',
  { merchantId: 'uuid', paymentId: 'uuid' },
  ({ merchantId, paymentId }) => `
    SELECT ${ORDER_WITH_PAYMENT_COLUMNS}, ${PRICE} AS price FROM payments p
    JOIN orders o ON o.merchant_id = p.merchant_id AND o.txid = p.txid ${PRICE_JOIN}
    WHERE p.merchant_id = ${merchantId} AND p.id = ${paymentId} AND p.status = 'pending'
      AND o.status = 'processing' AND o.erased_at IS NULL`,
);

const message = columnRefs('input', NEW_EVENT);

/**
 * Stores messages, and for those that pay an order in full also payment, transfers, order, event and deliveries. It
 * never waits for a lock: if the order has changed or is locked, the message is stored but not applied. At most one
 * message per order and statement.
 */
export const STORE: Statement = {
  name: 'provider_events_store',
  text: `
    WITH input AS (
      SELECT * FROM json_to_recordset($1) AS input (${recordOf(ProviderEvent, NEW_EVENT)},
        ${PAID_RECORD})
    ), locked AS (
      SELECT input.id FROM input CROSS JOIN LATERAL (
        SELECT FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id AND p.txid = o.txid
        WHERE o.merchant_id = ${message.merchantId} AND o.txid = input.txid
          AND o.version = input."versionBefore" AND o.status = 'processing' AND o.erased_at IS NULL
          AND p.merchant_id = ${message.merchantId} AND p.id = ${message.paymentId}
          AND p.status = 'pending'
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
      ) one WHERE input.txid IS NOT NULL
    ), stored AS (
      ${insertOf(
        ProviderEvent,
        {
          ...message,
          appliedAt: `CASE WHEN l.id IS NULL THEN ${message.appliedAt} ELSE ${message.receivedAt} END`,
          result: `CASE WHEN l.id IS NULL THEN ${message.result} ELSE 'applied' END`,
          nextAttemptAt: dueBy(message.nextAttemptAt, LEASE),
        },
        `FROM input LEFT JOIN locked l ON l.id = ${message.id} ORDER BY ${message.providerEventId}`,
      )}
      ON CONFLICT (merchant_id, provider, provider_event_id) DO NOTHING
      RETURNING id
    ), applied AS (
      SELECT input.* FROM stored JOIN locked USING (id) JOIN input USING (id)
    ), ${PAID_IN_FULL}
    SELECT stored.id, locked.id IS NOT NULL AS "isApplied" FROM stored LEFT JOIN locked USING (id)`,
};
