import type { Statement } from '../database.js';
import { QUEUE_MAILS, QUEUE_WEBHOOKS, SNAPSHOT } from './delivery.statements.js';
import { ORDER_COLUMNS, ORDER_WITH_PAYMENT_COLUMNS } from '../rows.js';
import { earliest, inTurns } from '../turns.js';

/**
 * The order, its first event with the deliveries of it, and the remembered answer: all of them or
 * none, in one round trip. An order that holds the id already is found before anything is written.
 */
export const CREATE: Statement = {
  name: 'order_create',
  text: `
    WITH created AS (
      INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash, status, amount,
        currency, description, customer_name, customer_email, optional_fields, page_token,
        return_url, cancel_url, locale, created_at, updated_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, 'open', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)
      ON CONFLICT (merchant_id, mode, order_merchant_id) WHERE holds_merchant_id DO NOTHING
      RETURNING txid
    ), remembered AS (
      INSERT INTO idempotency_records
        (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
      SELECT $1, $3, $19::text, $20::text, $21::bytea, txid, $22::text, $23::integer, $24::text, $16
      FROM created WHERE $20::text IS NOT NULL
    ), happened AS (
      INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
      SELECT $1, $18, txid, $3, 1, 'order.created', '{"status": "open"}', $16 FROM created
      RETURNING *
    ), webhooks AS (${QUEUE_WEBHOOKS})
    SELECT txid FROM created`,
};

/** A change of an order, the events that tell of it, and the deliveries of these. */
export const change = (assignments: string): string => `
  WITH changed AS (
    UPDATE orders SET ${assignments}
    WHERE merchant_id = $1 AND txid = $2 AND status = $3 AND version = $4
    RETURNING *
  ), happened AS (
    INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
    SELECT $1, event.id, o.txid, o.mode, $4 + event.n, event.type, event.data || ${SNAPSHOT}, $8
    FROM changed o LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id,
      unnest($5::uuid[], $6::text[], $7::jsonb[]) WITH ORDINALITY AS event (id, type, data, n)
    RETURNING *
  ), webhooks AS (${QUEUE_WEBHOOKS}), mails AS (${QUEUE_MAILS})
  SELECT id FROM happened`;

const details = (condition: string): string => `
  SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
  WHERE o.merchant_id = $1 AND o.mode = $2 AND ${condition}`;

export const BY_TXID: Statement = { name: 'order_by_txid', text: details('o.txid = $3') };
/**
 * The id can be used again after an order that ended without money: the newest one is meant. That is
 * the one that holds the id, if any does: times of several processes do not tell which came later.
 */
const NEWEST = 'ORDER BY o.holds_merchant_id DESC, o.txid DESC LIMIT 1';
export const NEWEST_ORDER: Statement = {
  name: 'order_newest',
  text: `SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
    LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
    WHERE o.merchant_id = $1 AND o.mode = $2 ORDER BY o.txid DESC LIMIT 1`,
};

export const BY_MERCHANT_ID: Statement = {
  name: 'order_by_merchant_id',
  text: `${details('o.order_merchant_id = $3')} ${NEWEST}`,
};

const STATUS_COLUMNS = `txid, order_merchant_id AS "orderMerchantId", status,
  status_reason AS "statusReason", exception, amount, currency,
  amount_received AS "amountReceived", paid_at AS "paidAt", updated_at AS "updatedAt"`;

export const STATUS_BY_TXID: Statement = {
  name: 'status_by_txid',
  text: `SELECT ${STATUS_COLUMNS} FROM orders WHERE merchant_id = $1 AND mode = $2 AND txid = $3`,
};
export const STATUS_BY_MERCHANT_ID: Statement = {
  name: 'status_by_merchant_id',
  text: `SELECT ${STATUS_COLUMNS} FROM orders o
    WHERE merchant_id = $1 AND mode = $2 AND order_merchant_id = $3 ${NEWEST}`,
};

export const ANY_BY_TXID: Statement = {
  name: 'order_any_by_txid',
  text: `SELECT ${ORDER_COLUMNS} FROM orders o WHERE merchant_id = $1 AND txid = $2`,
};

export const BY_PAGE_TOKEN: Statement = {
  name: 'order_by_page_token',
  text: `SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
    LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
    WHERE o.page_token = $1`,
};

export const VERSIONS: Statement = {
  name: 'order_versions',
  text: 'SELECT page_token AS "pageToken", version FROM orders WHERE page_token = ANY($1)',
};

export const DUE: Statement = {
  name: 'orders_due',
  text: inTurns({
    columns: 'merchant_id AS "merchantId", txid',
    table: 'orders',
    due: `status = 'open' AND expires_at <= $1`,
    order: 'expires_at',
    limit: '$2',
  }),
};

export const NEXT_DUE: Statement = {
  name: 'orders_next_due',
  text: `SELECT least(
    (${earliest({ table: 'orders', due: `status = 'open'`, order: 'expires_at' })}),
    (${earliest({ table: 'payments', due: `status = 'pending'`, order: 'next_look_at' })})
  ) AS "nextDue"`,
};
