import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiVersion } from '../../common/api-version.js';
import { uuidv7 } from '../../common/ids.js';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../entities/api-key.entity.js';
import type { OrderEventType } from '../entities/order-event.entity.js';
import type { Order, OrderWithPayment } from '../entities/order.entity.js';
import type { PaymentKey } from './payment.repository.js';
import { assignments, ORDER_COLUMNS, ORDER_WITH_PAYMENT_COLUMNS, withPayment } from '../rows.js';

/** What a new order is made of; the rest has its first value. */
export type NewOrder = Pick<
  Order,
  | 'merchantId'
  | 'txid'
  | 'mode'
  | 'orderMerchantId'
  | 'contentHash'
  | 'amount'
  | 'currency'
  | 'description'
  | 'customerName'
  | 'customerEmail'
  | 'optionalFields'
  | 'pageToken'
  | 'returnUrl'
  | 'cancelUrl'
  | 'locale'
  | 'createdAt'
  | 'expiresAt'
>;

/** The answer that is remembered under an Idempotency-Key. */
export interface RememberedAnswer {
  readonly route: string;
  readonly key: string;
  readonly contentHash: Buffer;
  readonly apiVersion: ApiVersion;
  readonly status: number;
  readonly body: string;
}

/** One of the two identifiers of an order. */
export type Selector = { readonly txid: string } | { readonly orderMerchantId: string };

export interface Owner {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** An event to write beside a change. */
export interface NewEvent {
  readonly type: OrderEventType;
  readonly data: Record<string, unknown>;
}

/** What may change of an order, and only together with an event. */
export type OrderPatch = Partial<
  Pick<
    Order,
    | 'status'
    | 'statusReason'
    | 'exception'
    | 'amountReceived'
    | 'paidAt'
    | 'paymentId'
    | 'attempts'
    | 'holdsMerchantId'
  >
>;

/** The order, its first event and the remembered answer: all of them or none, in one round trip. */
const CREATE: Statement = {
  name: 'order_create',
  text: `
    WITH created AS (
      INSERT INTO orders (merchant_id, txid, mode, order_merchant_id, content_hash, status, amount,
        currency, description, customer_name, customer_email, optional_fields, page_token,
        return_url, cancel_url, locale, created_at, updated_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, 'open', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17)
    ), remembered AS (
      INSERT INTO idempotency_records
        (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
      SELECT $1, $3, $19::text, $20::text, $21::bytea, $2, $22::text, $23::integer, $24::text, $16
      WHERE $20::text IS NOT NULL
    )
    INSERT INTO events (merchant_id, id, txid, sequence, type, data, created_at)
    VALUES ($1, $18, $2, 1, 'order.created', '{"status": "open"}', $16)`,
};

const details = (condition: string): string => `
  SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
  LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
  WHERE o.merchant_id = $1 AND o.mode = $2 AND ${condition}`;

const BY_TXID: Statement = { name: 'order_by_txid', text: details('o.txid = $3') };
/** The id can be used again after an order that ended without money: the newest one is meant. */
const BY_MERCHANT_ID: Statement = {
  name: 'order_by_merchant_id',
  text: `${details('o.order_merchant_id = $3')} ORDER BY o.txid DESC LIMIT 1`,
};

const STATUS_COLUMNS = `txid, order_merchant_id AS "orderMerchantId", status,
  status_reason AS "statusReason", exception, amount, currency,
  amount_received AS "amountReceived", paid_at AS "paidAt", updated_at AS "updatedAt"`;

const STATUS_BY_TXID: Statement = {
  name: 'status_by_txid',
  text: `SELECT ${STATUS_COLUMNS} FROM orders WHERE merchant_id = $1 AND mode = $2 AND txid = $3`,
};
const STATUS_BY_MERCHANT_ID: Statement = {
  name: 'status_by_merchant_id',
  text: `SELECT ${STATUS_COLUMNS} FROM orders
    WHERE merchant_id = $1 AND mode = $2 AND order_merchant_id = $3 ORDER BY txid DESC LIMIT 1`,
};

const ANY_BY_TXID: Statement = {
  name: 'order_any_by_txid',
  text: `SELECT ${ORDER_COLUMNS} FROM orders o WHERE merchant_id = $1 AND txid = $2`,
};

const BY_PAGE_TOKEN: Statement = {
  name: 'order_by_page_token',
  text: `SELECT ${ORDER_WITH_PAYMENT_COLUMNS} FROM orders o
    LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
    WHERE o.page_token = $1`,
};

const VERSIONS: Statement = {
  name: 'order_versions',
  text: 'SELECT page_token AS "pageToken", version FROM orders WHERE page_token = ANY($1)',
};

const DUE: Statement = {
  name: 'orders_due',
  text: `SELECT merchant_id AS "merchantId", txid FROM orders
    WHERE status = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
};

const NEXT_DUE: Statement = {
  name: 'orders_next_due',
  text: `SELECT least((SELECT min(expires_at) FROM orders WHERE status = 'open'),
    (SELECT min(next_look_at) FROM payments WHERE status = 'pending')) AS "nextDue"`,
};

/** Columns of the status object. */
export type OrderStatusRow = Pick<
  Order,
  | 'txid'
  | 'orderMerchantId'
  | 'status'
  | 'statusReason'
  | 'exception'
  | 'amount'
  | 'currency'
  | 'amountReceived'
  | 'paidAt'
  | 'updatedAt'
>;

@Injectable()
export class OrderRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes a new order in one statement.
   * @throws a unique violation of `orders_order_merchant_id_once` or `idempotency_records_pk`;
   *   then nothing was written
   */
  async create(order: NewOrder, remembered?: RememberedAnswer): Promise<void> {
    await this.database.query(CREATE, [
      order.merchantId,
      order.txid,
      order.mode,
      order.orderMerchantId,
      order.contentHash,
      order.amount,
      order.currency,
      order.description,
      order.customerName,
      order.customerEmail,
      JSON.stringify(order.optionalFields),
      order.pageToken,
      order.returnUrl,
      order.cancelUrl,
      order.locale,
      order.createdAt,
      order.expiresAt,
      uuidv7(order.createdAt.getTime()),
      remembered?.route ?? null,
      remembered?.key ?? null,
      remembered?.contentHash ?? null,
      remembered?.apiVersion ?? null,
      remembered?.status ?? null,
      remembered?.body ?? null,
    ]);
  }

  async find(owner: Owner, selector: Selector): Promise<OrderWithPayment | null> {
    const [statement, id] =
      'txid' in selector ? [BY_TXID, selector.txid] : [BY_MERCHANT_ID, selector.orderMerchantId];
    const rows = await this.database.query<Record<string, unknown>>(statement, [
      owner.merchantId,
      owner.mode,
      id,
    ]);
    return rows[0] ? withPayment(rows[0]) : null;
  }

  async findStatus(owner: Owner, selector: Selector): Promise<OrderStatusRow | null> {
    const [statement, id] =
      'txid' in selector
        ? [STATUS_BY_TXID, selector.txid]
        : [STATUS_BY_MERCHANT_ID, selector.orderMerchantId];
    const rows = await this.database.query<OrderStatusRow>(statement, [
      owner.merchantId,
      owner.mode,
      id,
    ]);
    return rows[0] ?? null;
  }

  /** The order in whatever mode, for work that no caller asked for. */
  async findAny(merchantId: string, txid: string): Promise<Order | null> {
    return (await this.database.query<Order>(ANY_BY_TXID, [merchantId, txid]))[0] ?? null;
  }

  async findByPageToken(token: string): Promise<OrderWithPayment | null> {
    const rows = await this.database.query<Record<string, unknown>>(BY_PAGE_TOKEN, [token]);
    return rows[0] ? withPayment(rows[0]) : null;
  }

  /** Versions of the orders behind these page tokens, to see which of them changed. */
  async versionsOf(tokens: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<Pick<Order, 'pageToken' | 'version'>>(VERSIONS, [
      tokens,
    ]);
    return new Map(rows.map((row) => [row.pageToken, row.version]));
  }

  /** When the next order expires or the next payment is to be looked at; null = nothing waits. */
  async nextDue(): Promise<Date | null> {
    const rows = await this.database.query<{ nextDue: Date | null }>(NEXT_DUE, []);
    return rows[0]?.nextDue ?? null;
  }

  /** Open orders whose time is over at `now`, oldest first. */
  listDue(now: Date, limit: number): Promise<Pick<Order, 'merchantId' | 'txid'>[]> {
    return this.database.query(DUE, [now, limit]);
  }

  /** Reads the order and keeps every other writer of it waiting until the transaction ends. */
  async lock(tx: EntityManager, merchantId: string, txid: string): Promise<Order | null> {
    const rows: Order[] = await tx.query(
      `SELECT ${ORDER_COLUMNS} FROM orders o WHERE merchant_id = $1 AND txid = $2 FOR UPDATE`,
      [merchantId, txid],
    );
    return rows[0] ?? null;
  }

  /** The same for the order that a payment belongs to; null when there is no such payment (yet). */
  async lockByPayment(tx: EntityManager, key: PaymentKey): Promise<Order | null> {
    const rows: Order[] = await tx.query(
      `SELECT ${ORDER_COLUMNS} FROM orders o WHERE merchant_id = $1
         AND txid = (SELECT txid FROM payments WHERE merchant_id = $1 AND id = $2) FOR UPDATE`,
      [key.merchantId, key.id],
    );
    return rows[0] ?? null;
  }

  /**
   * Changes the order and appends the events, in one statement, if the order is still as `order`
   * says. Only `StatusService` calls it.
   * @returns the changed order, or null when somebody else changed it first
   */
  async change(
    tx: EntityManager,
    order: Order,
    patch: OrderPatch,
    events: readonly NewEvent[],
    now: Date,
  ): Promise<Order | null> {
    const version = order.version + events.length;
    const changes = { ...patch, updatedAt: now, version };
    const set = assignments(changes, 9);
    const rows: unknown[] = await tx.query(
      `WITH changed AS (
         UPDATE orders SET ${set.sql}
         WHERE merchant_id = $1 AND txid = $2 AND status = $3 AND version = $4
         RETURNING txid
       )
       INSERT INTO events (merchant_id, id, txid, sequence, type, data, created_at)
       SELECT $1, event.id, changed.txid, $4 + event.n, event.type, event.data, $8
       FROM changed, unnest($5::uuid[], $6::text[], $7::jsonb[]) WITH ORDINALITY
         AS event (id, type, data, n)
       RETURNING id`,
      [
        order.merchantId,
        order.txid,
        order.status,
        order.version,
        events.map(() => uuidv7(now.getTime())),
        events.map((event) => event.type),
        events.map((event) => JSON.stringify(event.data)),
        now,
        ...set.values,
      ],
    );
    return rows.length === events.length ? { ...order, ...changes } : null;
  }
}
