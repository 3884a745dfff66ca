import type { Statement } from '../database.js';
import {
  QUEUE_MAILS,
  QUEUE_WEBHOOKS,
  queueWebhooks,
  SNAPSHOT,
} from '../notifications/delivery.statements.js';
import { columnsOf, definitionsOf, typesOf, insertOf, membersOf, rowOf } from '../entity-sql.js';
import { lookup } from '../lookup.js';
import { earliest, inTurns } from '../turns.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';
import { ANSWER_PREFIX, REMEMBERED } from './new-row.js';
import { NEW_ORDER, Order } from './order.entity.js';
import { ORDER_WITH_PAYMENTS_COLUMNS } from './order.rows.js';

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

const order = membersOf('asked', NEW_ORDER);
const made = membersOf('made', [...NEW_ORDER, 'eventId']);
const answer = membersOf('made', REMEMBERED, ANSWER_PREFIX);
const given = membersOf('asked', REMEMBERED, ANSWER_PREFIX);

/** What is asked of an order to be made, under the names of a `NewRow`. */
const ASKED = [
  ...typesOf(Order, NEW_ORDER),
  { name: 'eventId', type: 'uuid' },
  ...typesOf(IdempotencyRecord, REMEMBERED, ANSWER_PREFIX),
];

/** Where a statement has the orders to be made, in which order it makes them, and which of them it made. */
interface Asked {
  readonly asked: string;
  readonly inOrder: string;
  readonly made: string;
}

/**
 * Orders, for each its first event with the deliveries of it, and the remembered answer: all of them or
 * none, in one round trip. An order that holds the id already, and a known key, are found before anything is
 * written: nobody waits for a transaction that is about to free an id. The look-ups have limits, so
 * that they stay look-ups by index.
 */
const create = ({ asked, inOrder, made: whichMade }: Asked): string => `
    WITH asked AS (${asked}), created AS (
      ${insertOf(
        Order,
        { ...order, status: `'open'`, updatedAt: order.createdAt },
        `FROM asked
        WHERE (SELECT true FROM orders o
          WHERE o.merchant_id = ${order.merchantId} AND o.mode = ${order.mode}
            AND o.order_merchant_id = ${order.orderMerchantId} AND o.holds_merchant_id LIMIT 1) IS NULL
          AND (SELECT true FROM idempotency_records r
          WHERE r.merchant_id = ${order.merchantId} AND r.mode = ${order.mode}
            AND r.route = ${given.route} AND r.key = ${given.key} LIMIT 1) IS NULL
        ${inOrder}`,
      )}
      ON CONFLICT (merchant_id, mode, order_merchant_id) WHERE holds_merchant_id DO NOTHING
      RETURNING merchant_id, txid
    ), made AS (SELECT asked.* FROM ${whichMade}), remembered AS (
      ${insertOf(
        IdempotencyRecord,
        {
          ...answer,
          merchantId: made.merchantId,
          mode: made.mode,
          txid: made.txid,
          createdAt: made.createdAt,
        },
        `FROM made WHERE ${answer.key} IS NOT NULL`,
      )}
    ), happened AS (
      INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
      SELECT ${made.merchantId}, ${made.eventId}, ${made.txid}, ${made.mode}, 1, 'order.created',
        '{"status": "open"}', ${made.createdAt} FROM made
      RETURNING *
    ), webhooks AS (${queueWebhooks({ ...made, from: 'made' })})
    SELECT txid FROM created`;

/** Makes an order, or some. */
export const CREATE = {
  parts: ASKED.map(({ name }) => name),
  one: {
    name: 'order_create',
    text: create({
      asked: `SELECT ${rowOf(ASKED)}`,
      inOrder: '',
      made: 'asked WHERE EXISTS (SELECT FROM created)',
    }),
  },
  /** Takes them as JSON. Two processes make theirs in the same order, and do not wait for each other. */
  each: {
    name: 'order_create_each',
    text: create({
      asked: `SELECT * FROM json_to_recordset($1) AS asked (${definitionsOf(ASKED)})`,
      inOrder: `ORDER BY ${order.merchantId}, ${order.mode}, ${order.orderMerchantId}`,
      made: `created JOIN asked
        ON ${order.merchantId} = created.merchant_id AND ${order.txid} = created.txid`,
    }),
  },
} as const satisfies Record<'one' | 'each', Statement> & { readonly parts: readonly string[] };

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
 * The id can be used again after an order that ended unpaid: the newest one is meant. That is
 * the one that holds the id, if any does: times of several processes do not tell which came later.
 */
const isNewest = (key: Readonly<Record<keyof typeof ORDER_MERCHANT_ID, string>>): string =>
  `o.merchant_id = ${key.merchantId} AND o.mode = ${key.mode}
    AND o.order_merchant_id = ${key.orderMerchantId}
  ORDER BY o.holds_merchant_id DESC, o.txid DESC`;

const details = (condition: string): string => `
  SELECT ${ORDER_WITH_PAYMENTS_COLUMNS} FROM orders o
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

/** Open orders that end when their time is over; a transfer of those of which a part came may be on its way. */
const OPEN = `status = 'open' AND NOT EXISTS (SELECT FROM transfer_references t
  WHERE t.merchant_id = r.merchant_id AND t.txid = r.txid AND t.waits_until IS NOT NULL)`;

export const DUE: Statement = {
  name: 'orders_due',
  text: inTurns({
    columns: 'merchant_id AS "merchantId", txid',
    table: 'orders',
    due: `${OPEN} AND expires_at <= $1`,
    order: 'expires_at',
    mode: 'r.mode',
    limit: '$2',
  }),
};

/** Of a test order alone. No order's time ends when it is made. */
export const END_TIME: Statement = {
  name: 'order_end_time',
  text: `UPDATE orders
    SET original_amount = coalesce(original_amount, amount),
      original_expires_at = coalesce(original_expires_at, expires_at),
      expires_at = least(expires_at, greatest($3, created_at + interval '1 millisecond'))
    WHERE merchant_id = $1 AND txid = $2 AND mode = 'test' AND status IN ('open', 'processing')
    RETURNING expires_at AS "expiresAt"`,
};

export const NEXT_DUE: Statement = {
  name: 'orders_next_due',
  text: `SELECT least(
    (${earliest({ table: 'orders', due: OPEN, order: 'expires_at', mode: 'r.mode' })}),
    (${earliest({ table: 'payments', due: `status = 'pending'`, order: 'next_look_at' })})
  ) AS "nextDue"`,
};
