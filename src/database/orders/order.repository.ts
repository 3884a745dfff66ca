import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../database.js';
import type { OrderEventType } from '../notifications/event.entity.js';
import type { OrderKey, Owner, PaymentKey } from '../keys.js';
import { assignments, columnsOf, valuesOf } from '../entity-sql.js';
import type { Batcher } from '../../overload/batcher.js';
import { gatheredLookup } from '../lookup.js';
import { withPayments } from './order.rows.js';
import {
  keyOfRow,
  orderInsertRow,
  type OrderInsertRow,
  type RememberedAnswer,
} from './order-insert-row.js';
import {
  type EditableOrderFields,
  type NewOrder,
  Order,
  type OrderWithPayment,
} from './order.entity.js';
import {
  ANY_BY_TXID,
  BY_MERCHANT_ID,
  BY_PAGE_TOKEN,
  BY_TXID,
  change,
  CREATE,
  DUE,
  END_TIME,
  NEWEST_ORDER,
  NEXT_DUE,
  STATUS,
  STATUS_BY_MERCHANT_ID,
  STATUS_BY_TXID,
  VERSIONS,
} from './order.statements.js';

/** One of the two identifiers of an order. */
export type Selector = { readonly txid: string } | { readonly orderMerchantId: string };

/** An event to store with a change. */
export interface NewEvent {
  readonly type: OrderEventType;
  readonly data: Record<string, unknown>;
}

/** Columns of an order that may change, always with an event. */
export type OrderPatch = Partial<
  Pick<
    Order,
    | 'status'
    | 'statusReason'
    | 'exception'
    | 'amountReceived'
    | 'amountChargedBack'
    | 'amountRefunded'
    | 'amountRefundPending'
    | 'fee'
    | 'paidAt'
    | 'paymentId'
    | 'attempts'
    | 'holdsMerchantId'
    | 'originalAmount'
    | 'originalExpiresAt'
    | keyof EditableOrderFields
  >
>;

export type OrderStatusRow = Pick<Order, (typeof STATUS)[number]>;

type TxidKey = Owner & { readonly txid: string };
type MerchantIdKey = Owner & { readonly orderMerchantId: string };

/** An order and its payment, as `withPayments` takes them. */
type DetailsRow = Record<string, unknown> & { readonly txid: string | null };

@Injectable()
export class OrderRepository {
  private readonly creations: Batcher<OrderInsertRow, boolean>;
  private readonly byTxid: Batcher<TxidKey, DetailsRow | null>;
  private readonly byMerchantId: Batcher<MerchantIdKey, DetailsRow | null>;
  private readonly byPageToken: Batcher<{ token: string }, DetailsRow | null>;
  private readonly statusByTxid: Batcher<TxidKey, OrderStatusRow | null>;
  private readonly statusByMerchantId: Batcher<MerchantIdKey, OrderStatusRow | null>;

  constructor(private readonly database: Database) {
    this.creations = database.batcher(CREATE.one.name, (rows) => this.createAll(rows), keyOfRow);
    this.byTxid = gatheredLookup(database, BY_TXID, 'txid');
    this.byMerchantId = gatheredLookup(database, BY_MERCHANT_ID, 'txid');
    this.byPageToken = gatheredLookup(database, BY_PAGE_TOKEN, 'txid');
    this.statusByTxid = gatheredLookup(database, STATUS_BY_TXID, 'txid');
    this.statusByMerchantId = gatheredLookup(database, STATUS_BY_MERCHANT_ID, 'txid');
  }

  /**
   * Creates an order, in one statement with concurrent creations.
   * @returns false when an order has the id, or the key is known; nothing is written
   * @throws a unique violation of `idempotency_records_pk`; nothing is written
   */
  create(order: NewOrder, remembered?: RememberedAnswer): Promise<boolean> {
    return this.creations.ask(orderInsertRow(order, remembered));
  }

  async find(owner: Owner, selector: Selector): Promise<OrderWithPayment | null> {
    const key = keyOf(owner, selector);
    const row = await ('txid' in key ? this.byTxid.ask(key) : this.byMerchantId.ask(key));
    return row && withPayments(row);
  }

  /** The order as the transaction sees it. */
  async findIn(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    txid: string,
  ): Promise<OrderWithPayment | null> {
    const values = [merchantId, mode, txid];
    const rows: Record<string, unknown>[] = await tx.query(BY_TXID.one.text, values);
    return rows[0] ? withPayments(rows[0]) : null;
  }

  /** The newest order. */
  async findNewest(owner: Owner): Promise<OrderWithPayment | null> {
    const values = [owner.merchantId, owner.mode];
    const rows = await this.database.query<Record<string, unknown>>(NEWEST_ORDER, values);
    return rows[0] ? withPayments(rows[0]) : null;
  }

  /**
   * Ends a test order's time immediately, if it is not over.
   * @returns its expiry; null when the order has ended
   */
  async endTime({ merchantId, txid }: OrderKey, now: Date): Promise<Date | null> {
    const values = [merchantId, txid, now];
    const rows = await this.database.query<Pick<Order, 'expiresAt'>>(END_TIME, values);
    return rows[0]?.expiresAt ?? null;
  }

  findStatus(owner: Owner, selector: Selector): Promise<OrderStatusRow | null> {
    const key = keyOf(owner, selector);
    return 'txid' in key ? this.statusByTxid.ask(key) : this.statusByMerchantId.ask(key);
  }

  /** The order in any mode, for background work. */
  async findAny(merchantId: string, txid: string): Promise<Order | null> {
    return (await this.database.query<Order>(ANY_BY_TXID, [merchantId, txid]))[0] ?? null;
  }

  async findByPageToken(token: string): Promise<OrderWithPayment | null> {
    const row = await this.byPageToken.ask({ token });
    return row && withPayments(row);
  }

  /** Versions by page token, to detect changed orders. */
  async versionsOf(tokens: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<Pick<Order, 'pageToken' | 'version'>>(VERSIONS, [
      tokens,
    ]);
    return new Map(rows.map((row) => [row.pageToken, row.version]));
  }

  /** When the next order expires or the next poll is due; null = nothing is pending. */
  async nextDue(): Promise<Date | null> {
    const rows = await this.database.query<{ nextDue: Date | null }>(NEXT_DUE, []);
    return rows[0]?.nextDue ?? null;
  }

  /** Open orders that have expired at `now`, oldest first. */
  listDue(now: Date, limit: number): Promise<OrderKey[]> {
    return this.database.query(DUE, [now, limit]);
  }

  /** Locks the order until the transaction ends. */
  async lock(tx: EntityManager, merchantId: string, txid: string): Promise<Order | null> {
    const rows: Order[] = await tx.query(
      `SELECT ${columnsOf('o', Order)} FROM orders o WHERE merchant_id = $1 AND txid = $2 FOR UPDATE`,
      [merchantId, txid],
    );
    return rows[0] ?? null;
  }

  /** Locks several orders, always sorted by txid, to prevent deadlocks. */
  lockAll(tx: EntityManager, orders: readonly OrderKey[]): Promise<Order[]> {
    const keys = [orders.map(({ merchantId }) => merchantId), orders.map(({ txid }) => txid)];
    return tx.query(
      `SELECT ${columnsOf('o', Order)} FROM orders o
       WHERE (merchant_id, txid) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
       ORDER BY txid FOR UPDATE`,
      keys,
    );
  }

  /** Locks the order of a payment; null when the payment does not exist (yet). */
  async lockByPayment(tx: EntityManager, key: PaymentKey): Promise<Order | null> {
    const rows: Order[] = await tx.query(
      `SELECT ${columnsOf('o', Order)} FROM orders o WHERE merchant_id = $1
         AND txid = (SELECT txid FROM payments WHERE merchant_id = $1 AND id = $2) FOR UPDATE`,
      [key.merchantId, key.id],
    );
    return rows[0] ?? null;
  }

  /**
   * Changes the order, stores the events and queues their deliveries in one statement, if the order's status and
   * version are unchanged. Called only by `StatusService`.
   * @returns the changed order; null when it was changed concurrently
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
    const set = assignments(Order, changes, 9);
    const rows: unknown[] = await tx.query(change(set.sql), [
      order.merchantId,
      order.txid,
      order.status,
      order.version,
      events.map(() => uuidv7(now.getTime())),
      events.map((event) => event.type),
      events.map((event) => JSON.stringify(event.data)),
      now,
      ...set.values,
    ]);
    return rows.length === events.length ? { ...order, ...changes } : null;
  }

  private async createAll(rows: readonly OrderInsertRow[]): Promise<boolean[]> {
    const { parts, one, each } = CREATE;
    const created = await (rows.length === 1
      ? this.database.query<Pick<Order, 'txid'>>(one, valuesOf(parts, rows[0]!))
      : this.database.query<Pick<Order, 'txid'>>(each, [JSON.stringify(rows)]));
    const txids = new Set(created.map(({ txid }) => txid));
    return rows.map(({ txid }) => txids.has(txid));
  }
}

const keyOf = ({ merchantId, mode }: Owner, selector: Selector): TxidKey | MerchantIdKey => ({
  merchantId,
  mode,
  ...selector,
});
