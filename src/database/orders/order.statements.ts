import type { Statement } from '../database.js';
import {
  QUEUE_MAILS,
  QUEUE_WEBHOOKS,
  queueWebhooks,
  SNAPSHOT,
} from '../notifications/delivery.statements.js';
import {
  columnsOf,
  definitionsOf,
  typesOf,
  insertOf,
  columnRefs,
  parameterRow,
} from '../entity-sql.js';
import { lookup } from '../lookup.js';
import { earliest, fairOrder } from '../fair-order.js';
import { IdempotencyRecord } from './idempotency-record.entity.js';
import { ANSWER_PREFIX, REMEMBERED } from './order-insert-row.js';
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

const order = columnRefs('input', NEW_ORDER);
const made = columnRefs('made', [...NEW_ORDER, 'eventId']);
const answer = columnRefs('made', REMEMBERED, ANSWER_PREFIX);
const given = columnRefs('input', REMEMBERED, ANSWER_PREFIX);

/** Columns of a row for creating an order, named as in `OrderInsertRow`. */
const INPUT = [
  ...typesOf(Order, NEW_ORDER),
  { name: 'eventId', type: 'uuid' },
  ...typesOf(IdempotencyRecord, REMEMBERED, ANSWER_PREFIX),
];

/** SQL parts of the creation: the rows, their order, and the created ones. */
interface CreateParts {
  readonly input: string;
  readonly inOrder: string;
  readonly made: string;
}

/**
 * Creates orders with their first events, deliveries and idempotency records, all or none, in one round trip. An
 * existing order id or key is found before anything is written, so that no statement waits for a transaction that is
 * about to release an id. LIMIT keeps the subqueries index lookups.
 */
const create = ({ input, inOrder, made: whichMade }: CreateParts): string => `
    WITH input AS (${input}), created AS (
      ${insertOf(
        Order,
        { ...order, status: `'open'`, updatedAt: order.createdAt },
        `FROM input
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
    ), made AS (SELECT input.* FROM ${whichMade}), remembered AS (
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

/** Creates one order, or several. */
export const CREATE = {
  parts: INPUT.map(({ name }) => name),
  one: {
    name: 'order_create',
    text: create({
      input: `SELECT ${parameterRow(INPUT)}`,
      inOrder: '',
      made: 'input WHERE EXISTS (SELECT FROM created)',
    }),
  },
  /** Rows as JSON, inserted in a fixed order to prevent deadlocks between processes. */
  each: {
    name: 'order_create_each',
    text: create({
      input: `SELECT * FROM json_to_recordset($1) AS input (${definitionsOf(INPUT)})`,
      inOrder: `ORDER BY ${order.merchantId}, ${order.mode}, ${order.orderMerchantId}`,
      made: `created JOIN input
        ON ${order.merchantId} = created.merchant_id AND ${order.txid} = created.txid`,
    }),
  },
} as const satisfies Record<'one' | 'each', Statement> & { readonly parts: readonly string[] };

/** Changes an order, stores its events and queues their deliveries. */
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
 * An id can be reused after an order ended unpaid, so this finds the newest order: the one that holds the id, if any,
 * because clocks of processes differ.
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

/** Open orders that expire by time; partially paid ones may still wait for a transfer. */
const OPEN = `status = 'open' AND NOT EXISTS (SELECT FROM transfer_references t
  WHERE t.merchant_id = r.merchant_id AND t.txid = r.txid AND t.waits_until IS NOT NULL)`;

export const DUE: Statement = {
  name: 'orders_due',
  text: fairOrder({
    columns: 'merchant_id AS "merchantId", txid',
    table: 'orders',
    due: `${OPEN} AND expires_at <= $1`,
    order: 'expires_at',
    mode: 'r.mode',
    limit: '$2',
  }),
};

/** For test orders only. The expiry must be after the creation. */
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
    (${earliest({ table: 'payments', due: `status = 'pending'`, order: 'next_poll_at' })})
  ) AS "nextDue"`,
};
