import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import { assignments, valuesOf } from '../entity-sql.js';
import type { OrderKey, Owner } from '../keys.js';
import {
  NEW_REFUND,
  type NewRefund,
  type PublicRefund,
  Refund,
  type RefundPatch,
  type RefundStatus,
} from './refund.entity.js';
import {
  CLAIM_REFUND,
  CREATOR_OF_KEY,
  DUE_REFUNDS,
  FIND_BY_MERCHANT_ID,
  FIND_REFUND,
  FIND_REFUND_BY_KEY,
  GIVEN_BACK_OF_PAYMENTS,
  INSERT_REFUND,
  LIST_REFUNDS,
  LOCK_REFUND,
  NEXT_DUE_REFUND,
  REFUNDS_OF_ORDER,
  REFUNDS_OF_PAYOUTS,
  REQUESTED_WITHOUT_PAYOUT,
  SCHEDULE_REFUND,
  TOTALS_OF_ORDER,
} from './refund.statements.js';

export type RefundKey = Pick<Refund, 'merchantId' | 'id'>;

export interface RefundListPage {
  /** Cursor: only refunds created before this one. */
  readonly before: string | null;
  /** Null = all. */
  readonly statuses: readonly RefundStatus[] | null;
  readonly txid: string | null;
  readonly limit: number;
}

export interface RefundTotals {
  /** Refunds of any status. */
  readonly refunds: number;
  /** Money of the merchant that refunds hold or have paid, in minor units. */
  readonly own: number;
}

@Injectable()
export class RefundRepository {
  constructor(private readonly database: Database) {}

  async find({ merchantId, mode }: Owner, id: string): Promise<(Refund & PublicRefund) | null> {
    const rows = await this.database.query<Refund & PublicRefund>(FIND_REFUND, [
      merchantId,
      mode,
      id,
    ]);
    return rows[0] ?? null;
  }

  async findByKey({ merchantId, id }: RefundKey): Promise<Refund | null> {
    return (await this.database.query<Refund>(FIND_REFUND_BY_KEY, [merchantId, id]))[0] ?? null;
  }

  /** Newest first. */
  list({ merchantId, mode }: Owner, page: RefundListPage): Promise<PublicRefund[]> {
    const { before, statuses, txid, limit } = page;
    const values = [merchantId, mode, before, statuses, txid, limit];
    return this.database.query(LIST_REFUNDS, values);
  }

  /** All refunds of an order, newest first. */
  ofOrder({ merchantId, txid }: OrderKey): Promise<Refund[]> {
    return this.database.query(REFUNDS_OF_ORDER, [merchantId, txid]);
  }

  /** Requested refunds of an order that no payout sends: they wait for their payer, or for the merchant. */
  requestedWithoutPayout(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<Refund[]> {
    return tx.query(REQUESTED_WITHOUT_PAYOUT, [merchantId, txid]);
  }

  /** The refunds that the payouts send, sorted by order. */
  ofPayouts(tx: EntityManager, payouts: readonly RefundKey[]): Promise<Refund[]> {
    const merchants = payouts.map(({ merchantId }) => merchantId);
    return tx.query(REFUNDS_OF_PAYOUTS, [merchants, payouts.map(({ id }) => id)]);
  }

  /** The user who created the API key; null = the command line. */
  async creatorOf(
    tx: EntityManager,
    { merchantId, id }: { readonly merchantId: string; readonly id: string },
  ): Promise<string | null> {
    type Row = { readonly createdBy: string | null };
    const [row] = await tx.query<Row[]>(CREATOR_OF_KEY, [merchantId, id]);
    return row?.createdBy ?? null;
  }

  /** The caller holds the order's lock. */
  async findByMerchantId(
    tx: EntityManager,
    { merchantId, mode }: Owner,
    refundMerchantId: string,
  ): Promise<Refund | null> {
    const values = [merchantId, mode, refundMerchantId];
    return (await tx.query<Refund[]>(FIND_BY_MERCHANT_ID, values))[0] ?? null;
  }

  /**
   * Money by payment id that was refunded, also on record only, or taken back, including refunds in progress. The caller
   * holds the order's lock.
   */
  async givenBack(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<Map<string, number>> {
    type Row = { readonly paymentId: string; readonly amount: number };
    const rows: Row[] = await tx.query(GIVEN_BACK_OF_PAYMENTS, [merchantId, txid]);
    return new Map(rows.map(({ paymentId, amount }) => [paymentId, amount]));
  }

  /** Totals of an order's refunds. The caller holds the order's lock. */
  async totals(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<RefundTotals> {
    const [totals] = await tx.query<[RefundTotals]>(TOTALS_OF_ORDER, [merchantId, txid]);
    return totals;
  }

  /**
   * @throws a unique violation of `refunds_merchant_id_once`, and a check violation of `refunds_payment_left` when the
   * payment has less left
   */
  async insert(tx: EntityManager, refund: NewRefund): Promise<Refund> {
    const [row] = await tx.query<[Refund]>(INSERT_REFUND, valuesOf(NEW_REFUND, refund));
    return row;
  }

  /** Locks the refund until the transaction ends. Lock the order first. */
  async lock(tx: EntityManager, { merchantId, id }: RefundKey): Promise<Refund | null> {
    return (await tx.query<Refund[]>(LOCK_REFUND, [merchantId, id]))[0] ?? null;
  }

  /** Changes a locked refund. @throws a check violation of `refunds_moves` for an invalid transition */
  async change(
    tx: EntityManager,
    refund: Refund,
    patch: RefundPatch & Pick<Refund, 'status' | 'updatedAt' | 'completedAt'>,
  ): Promise<Refund> {
    const set = assignments(Refund, patch, 3);
    await tx.query(
      `UPDATE refunds SET ${set.sql}, version = version + 1 WHERE merchant_id = $1 AND id = $2`,
      [refund.merchantId, refund.id, ...set.values],
    );
    return { ...refund, ...patch, version: refund.version + 1 };
  }

  /** Refunds whose call to the provider is due, alternating between merchants. */
  listDue(now: Date, limit: number): Promise<Refund[]> {
    return this.database.query(DUE_REFUNDS, [now, limit]);
  }

  /**
   * Records an attempt before the provider is called.
   * @returns null when another process claimed it first, or it was cancelled
   */
  async claim({ merchantId, id, attempts }: Refund, nextAttemptAt: Date): Promise<Refund | null> {
    const values = [merchantId, id, attempts, nextAttemptAt];
    return (await this.database.query<Refund>(CLAIM_REFUND, values))[0] ?? null;
  }

  /** Sets the next call, unless the refund has ended or was claimed again. */
  async schedule({ merchantId, id, attempts }: Refund, nextAttemptAt: Date): Promise<void> {
    await this.database.query(SCHEDULE_REFUND, [merchantId, id, attempts, nextAttemptAt]);
  }

  /** When the next call is due; null = none. */
  async nextDue(): Promise<Date | null> {
    const rows = await this.database.query<{ nextDue: Date | null }>(NEXT_DUE_REFUND, []);
    return rows[0]?.nextDue ?? null;
  }
}
