import type { Statement } from '../database.js';
import { QUEUE_MAILS, QUEUE_WEBHOOKS, SNAPSHOT } from '../notifications/delivery.statements.js';
import { columnsOf, insertOf, parametersOf } from '../entity-sql.js';
import { earliest, inTurns } from '../turns.js';
import { NEW_ORDER, Order } from './order.entity.js';
import { lookup } from './order-lookup.js';
import { ORDER_WITH_PAYMENT_COLUMNS } from './order.rows.js';

/** The answer that is remembered under an Idempotency-Key. */
export const REMEMBERED = ['route', 'key', 'contentHash', 'apiVersion', 'status', 'body'] as const;

/** Columns of the status object. */
export const STATUS = [
  'txid',
  'orderMerchantId',
  'status',
  'statusReason',
  'exception',
  'amount',
  'currency',
  'amountReceived',
  'paidAt',
  'updatedAt',
] as const;

const order = parametersOf(NEW_ORDER);
const { eventId } = parametersOf(['eventId'], NEW_ORDER.length);
const answer = parametersOf(REMEMBERED, NEW_ORDER.length + 1);

/**
 * The order, its first event with the deliveries of it, and the remembered answer: all of them or
 * none, in one round trip. An order that holds the id already is found before anything is written.
 */
export const CREATE: Statement = {
  name: 'order_create',
  text: `
    WITH created AS (
      ${insertOf(Order, { ...order, status: `'open'`, updatedAt: order.createdAt })}
      ON CONFLICT (merchant_id, mode, order_merchant_id) WHERE holds_merchant_id DO NOTHING
      RETURNING txid
    ), remembered AS (
      INSERT INTO idempotency_records
        (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
      SELECT ${order.merchantId}, ${order.mode}, ${answer.route}::text, ${answer.key}::text,
        ${answer.contentHash}::bytea, txid, ${answer.apiVersion}::text, ${answer.status}::integer,
        ${answer.body}::text, ${order.createdAt}
      FROM created WHERE ${answer.key}::text IS NOT NULL
    ), happened AS (
      INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
      SELECT ${order.merchantId}, ${eventId}, txid, ${order.mode}, 1, 'order.created',
        '{"status": "open"}', ${order.createdAt} FROM created
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

const TXID = { merchantId: 'uuid', mode: 'text', txid: 'uuid' } as const;
const ORDER_MERCHANT_ID = { merchantId: 'uuid', mode: 'text', orderMerchantId: 'text' } as const;

const isTxid = (key: Readonly<Record<keyof typeof TXID, string>>): string =>
  `o.merchant_id = ${key.merchantId} AND o.mode = ${key.mode} AND o.txid = ${key.txid}`;
/**
 * The id can be used again after an order that ended without money: the newest one is meant. That is
 * the one that holds the id, if any does: times of several processes do not tell which came later.
 */
const isNewest = (key: Readonly<Record<keyof typeof ORDER_MERCHANT_ID, string>>): string =>
  `o.merchant_id = ${key.merchantId} AND o.mode = ${key.mode}
    AND o.order_merchant_id = ${key.orderMerchantId}
  ORDER BY o.holds_merchant_id DESC, o.txid DESC`;

const details = (condition: string): string => `
  SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
  WHERE ${condition}`;

export const BY_TXID = lookup('order_by_txid', TXID, (key) => details(isTxid(key)));
export const BY_MERCHANT_ID = lookup('order_by_merchant_id', ORDER_MERCHANT_ID, (key) =>
  details(isNewest(key)),
);
export const BY_PAGE_TOKEN = lookup('order_by_page_token', { token: 'text' }, ({ token }) =>
  details(`o.page_token = ${token}`),
);

export const NEWEST_ORDER: Statement = {
  name: 'order_newest',
  text: `${details('o.merchant_id = $1 AND o.mode = $2')} ORDER BY o.txid DESC LIMIT 1`,
};

const status = (condition: string): string =>
  `SELECT ${columnsOf('o', Order, STATUS)} FROM orders o WHERE ${condition}`;

export const STATUS_BY_TXID = lookup('status_by_txid', TXID, (key) => status(isTxid(key)));
export const STATUS_BY_MERCHANT_ID = lookup('status_by_merchant_id', ORDER_MERCHANT_ID, (key) =>
  status(isNewest(key)),
);

export const ANY_BY_TXID: Statement = {
  name: 'order_any_by_txid',
  text: `SELECT ${columnsOf('o', Order)} FROM orders o WHERE merchant_id = $1 AND txid = $2`,
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
    mode: 'r.mode',
    limit: '$2',
  }),
};

export const NEXT_DUE: Statement = {
  name: 'orders_next_due',
  text: `SELECT least(
    (${earliest({ table: 'orders', due: `status = 'open'`, order: 'expires_at', mode: 'r.mode' })}),
    (${earliest({ table: 'payments', due: `status = 'pending'`, order: 'next_look_at' })})
  ) AS "nextDue"`,
};
