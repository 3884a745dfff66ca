import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { assignments, columnsOf, insertOf, parametersOf, valuesOf } from '../entity-sql.js';
import { fairOrder } from '../fair-order.js';
import type { OrderKey, PaymentKey } from '../keys.js';
import { Payment } from './payment.entity.js';
import { type PaidOrder, paidRow } from './paid-order.js';
import { PAY_IN_FULL } from './paid-orders.statements.js';
import { PRICE, PRICE_JOIN, type PricedPayment } from './payment.rows.js';

const NEW_PAYMENT = [
  'merchantId',
  'id',
  'txid',
  'provider',
  'method',
  'amount',
  'currency',
  'createdAt',
  'nextPollAt',
] as const;

const INSERT = insertOf(Payment, { ...parametersOf(NEW_PAYMENT), status: `'pending'` });

const ARRIVING_PAYMENT = [...NEW_PAYMENT, 'providerReference', 'transfer'] as const;

/** Inserted as cancelled, because another attempt may be pending. */
const INSERT_ARRIVING = insertOf(Payment, {
  ...parametersOf(ARRIVING_PAYMENT),
  status: `'cancelled'`,
});

const INSERT_AWAITED = insertOf(Payment, {
  ...parametersOf(ARRIVING_PAYMENT),
  status: `'pending'`,
});

const COLUMNS = columnsOf('p', Payment);

const BY_ID: Statement = {
  name: 'payment_by_id',
  text: `SELECT ${COLUMNS} FROM payments p WHERE merchant_id = $1 AND id = $2`,
};

const PRICED = `SELECT ${COLUMNS}, ${PRICE} AS price FROM payments p ${PRICE_JOIN}
  WHERE p.merchant_id = $1`;
const PRICED_ONE = `${PRICED} AND p.id = $2`;
const ARRIVED = `${PRICED} AND p.txid = $2 AND p.status = 'succeeded' ORDER BY p.completed_at, p.id`;

const OF_ORDER = `SELECT ${COLUMNS} FROM payments p WHERE merchant_id = $1 AND txid = $2 ORDER BY id`;

const OF_ORDERS = `SELECT ${COLUMNS}, ${PRICE} AS price FROM payments p ${PRICE_JOIN}
  WHERE (p.merchant_id, p.txid) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[])) ORDER BY p.id`;

const ARRIVING = `WITH p AS (${INSERT_ARRIVING} RETURNING *)
  SELECT ${COLUMNS}, ${PRICE} AS price FROM p ${PRICE_JOIN}`;

const DUE_FOR_POLL: Statement = {
  name: 'payments_to_poll',
  text: fairOrder({
    columns: columnsOf('r', Payment),
    table: 'payments',
    due: `status = 'pending' AND next_poll_at <= $1`,
    order: 'next_poll_at',
    mode: '(SELECT o.mode FROM orders o WHERE o.merchant_id = r.merchant_id AND o.txid = r.txid)',
    limit: '$2',
  }),
};

const RECORD_POLL: Statement = {
  name: 'payment_looked',
  text: `UPDATE payments SET polls = polls + 1, next_poll_at = $4
    WHERE merchant_id = $1 AND id = $2 AND polls = $3 AND status = 'pending' RETURNING id`,
};

const STARTED: Statement = {
  name: 'payment_started',
  text: `UPDATE payments SET provider_reference = $3, redirect_url = $4
    WHERE merchant_id = $1 AND id = $2`,
};

@Injectable()
export class PaymentRepository {
  constructor(private readonly database: Database) {}

  async find(key: PaymentKey): Promise<Payment | null> {
    const rows = await this.database.query<Payment>(BY_ID, [key.merchantId, key.id]);
    return rows[0] ?? null;
  }

  /** Reads the payment within the transaction. The caller holds the order's lock. */
  async findIn(tx: EntityManager, key: PaymentKey): Promise<PricedPayment | null> {
    const rows: PricedPayment[] = await tx.query(PRICED_ONE, [key.merchantId, key.id]);
    return rows[0] ?? null;
  }

  /** An order's successful payments, oldest first. */
  arrived(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<PricedPayment[]> {
    return tx.query(ARRIVED, [merchantId, txid]);
  }

  /** @throws a unique violation of `payments_one_live` while another attempt is pending */
  async insert(
    tx: EntityManager,
    payment: Pick<Payment, (typeof NEW_PAYMENT)[number]>,
  ): Promise<void> {
    await tx.query(INSERT, valuesOf(NEW_PAYMENT, payment));
  }

  /**
   * The same for a transfer with instructions.
   * @throws a unique violation of `payments_one_live` while another attempt is pending
   */
  async insertAwaited(
    tx: EntityManager,
    payment: Pick<Payment, (typeof ARRIVING_PAYMENT)[number]>,
  ): Promise<void> {
    await tx.query(INSERT_AWAITED, valuesOf(ARRIVING_PAYMENT, payment));
  }

  /** Inserts a payment for money that arrived without an attempt; the caller settles it immediately. */
  async insertArriving(
    tx: EntityManager,
    payment: Pick<Payment, (typeof ARRIVING_PAYMENT)[number]>,
  ): Promise<PricedPayment> {
    const rows: PricedPayment[] = await tx.query(ARRIVING, valuesOf(ARRIVING_PAYMENT, payment));
    return rows[0]!;
  }

  /** All payments of an order, oldest first. The caller holds the order's lock. */
  ofOrder(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<Payment[]> {
    return tx.query(OF_ORDER, [merchantId, txid]);
  }

  /** The same for several orders. */
  ofOrders(tx: EntityManager, orders: readonly OrderKey[]): Promise<PricedPayment[]> {
    const keys = [orders.map(({ merchantId }) => merchantId), orders.map(({ txid }) => txid)];
    return tx.query(OF_ORDERS, keys);
  }

  /** The caller holds the order's lock. */
  async change(tx: EntityManager, key: PaymentKey, patch: Partial<Payment>): Promise<void> {
    const set = assignments(Payment, patch, 3);
    await tx.query(`UPDATE payments SET ${set.sql} WHERE merchant_id = $1 AND id = $2`, [
      key.merchantId,
      key.id,
      ...set.values,
    ]);
  }

  /**
   * Stores payments that pay their orders in full, with all results, in one statement. The caller holds the orders'
   * locks.
   * @throws Error when one of the orders was changed
   */
  async payInFull(tx: EntityManager, paid: readonly PaidOrder[], receivedAt: Date): Promise<void> {
    if (paid.length === 0) return;
    const rows = JSON.stringify(paid.map((each) => paidRow(each, receivedAt)));
    const changed: unknown[] = await tx.query(PAY_IN_FULL, [rows]);
    if (changed.length < paid.length) throw new Error('an order changed although it was locked');
  }

  /** Stores the provider's response to the start of the payment. */
  async started(key: PaymentKey, providerReference: string, redirectUrl: string | null) {
    await this.database.query(STARTED, [key.merchantId, key.id, providerReference, redirectUrl]);
  }

  /** Pending payments whose poll is due, alternating between merchants, longest overdue first. */
  listDueForPoll(now: Date, limit: number): Promise<Payment[]> {
    return this.database.query<Payment>(DUE_FOR_POLL, [now, limit]);
  }

  /**
   * Records a scheduled poll.
   * @returns false when another process recorded it first
   */
  async recordPoll(payment: Payment, nextPollAt: Date | null): Promise<boolean> {
    const { merchantId, id, polls } = payment;
    const rows = await this.database.query(RECORD_POLL, [merchantId, id, polls, nextPollAt]);
    return rows.length === 1;
  }
}
