import { Injectable } from '@nestjs/common';
import { type EntityManager, IsNull, Not } from 'typeorm';
import { columnsOf, insertOf, columnRefs, recordOf } from '../../entity-sql.js';
import type { OrderKey } from '../../keys.js';
import type { TransferForm } from '../../payments/payment.entity.js';
import { BankAllocation } from './bank-allocation.entity.js';
import { BankReturn } from './bank-return.entity.js';

/** Primary key: a payment has at most one allocation. */
export type AllocationKey = Pick<BankAllocation, 'merchantId' | 'paymentId'>;

const NEW_ALLOCATION = [
  'merchantId',
  'paymentId',
  'txid',
  'lineId',
  'amount',
  'evidence',
  'matchedBy',
  'createdAt',
] as const;

export type NewAllocation = Pick<BankAllocation, (typeof NEW_ALLOCATION)[number]>;

const INSERT = insertOf(
  BankAllocation,
  columnRefs('made', NEW_ALLOCATION),
  `FROM json_to_recordset($1) AS made (${recordOf(BankAllocation, NEW_ALLOCATION)})`,
);

const UNDO = `UPDATE bank_allocations SET undone_at = $3, undone_by_line_id = $4
  WHERE merchant_id = $1 AND payment_id = $2 AND undone_at IS NULL RETURNING line_id`;

const STANDING_OF = `SELECT ${columnsOf('a', BankAllocation)} FROM payments p
  JOIN bank_allocations a ON a.merchant_id = p.merchant_id AND a.payment_id = p.id
  WHERE p.merchant_id = $1 AND p.txid = $2 AND a.undone_at IS NULL ORDER BY a.payment_id DESC`;

const RETURNS_OF = `SELECT ${columnsOf('r', BankReturn)} FROM payments p
  JOIN bank_returns r ON r.merchant_id = p.merchant_id AND r.payment_id = p.id
  WHERE p.merchant_id = $1 AND p.txid = $2 AND r.undone_at IS NULL`;

const UNDO_RETURN = `UPDATE bank_returns SET undone_at = $5, undone_by = $6
  WHERE line_id = $1 AND merchant_id = $2 AND payment_id = $3 AND created_at = $4 AND undone_at IS NULL
  RETURNING line_id`;

const REACTIVATE = `UPDATE bank_allocations SET undone_at = NULL, undone_by_line_id = NULL
  WHERE merchant_id = $1 AND payment_id = $2 AND undone_by_line_id IS NOT NULL`;

/** Allocated amount minus returns; no row for an undone allocation. */
const LEFT = `SELECT a.amount - coalesce((SELECT sum(r.amount)::bigint FROM bank_returns r
    WHERE r.merchant_id = a.merchant_id AND r.payment_id = a.payment_id AND r.undone_at IS NULL), 0) AS "left"
  FROM bank_allocations a
  WHERE a.merchant_id = $1 AND a.payment_id = $2 AND a.undone_at IS NULL`;

/** The current transfer instructions of an order's payer. */
const FORM = `SELECT c.holder, c.account, c.bic, c.bank_name AS "bankName", r.reference
  FROM transfer_references r JOIN collection_accounts c ON c.id = r.collection_account_id
  WHERE r.merchant_id = $1 AND r.txid = $2`;

/** Whether an active or completed payout includes money of the order, or of its payment `$3`. */
const IS_PAID_OUT = `SELECT EXISTS (
    SELECT FROM transfers t
    JOIN payout_lines l ON l.merchant_id = t.merchant_id AND l.transfer_id = t.id AND l.amount > 0
    JOIN payouts p ON p.merchant_id = l.merchant_id AND p.id = l.payout_id
      AND p.status NOT IN ('draft', 'rejected', 'cancelled', 'failed', 'returned')
    WHERE t.merchant_id = $1 AND t.payment_id IN (
      SELECT id FROM payments WHERE merchant_id = $1 AND txid = $2 AND id = coalesce($3, id))
  ) AS found`;

/** Stores which bank line paid for which order. */
@Injectable()
export class BankAllocationRepository {
  /** @throws a check violation of `bank_allocations_within_line` when the line's amount is exceeded */
  async insert(tx: EntityManager, allocations: readonly NewAllocation[]): Promise<void> {
    if (allocations.length > 0) await tx.query(INSERT, [JSON.stringify(allocations)]);
  }

  findIn(
    tx: EntityManager,
    { merchantId, paymentId }: AllocationKey,
  ): Promise<BankAllocation | null> {
    return tx.findOneBy(BankAllocation, { merchantId, paymentId });
  }

  /** Active allocations of a line. The caller holds the line's lock. */
  standing(tx: EntityManager, lineId: string): Promise<BankAllocation[]> {
    return tx.find(BankAllocation, {
      where: { lineId, undoneAt: IsNull() },
      order: { txid: 'ASC', paymentId: 'ASC' },
    });
  }

  /**
   * The part of a line's amount, in minor units, that is allocated or that the bank took back: it cannot be allocated
   * again. The caller holds the line's lock.
   */
  async allocated(tx: EntityManager, lineId: string): Promise<number> {
    const gone = [
      { lineId, undoneAt: IsNull() },
      { lineId, undoneByLineId: Not(IsNull()) },
    ];
    return (await tx.sum(BankAllocation, 'amount', gone)) ?? 0;
  }

  /** @returns false when it was undone before */
  async undo(
    tx: EntityManager,
    { merchantId, paymentId }: AllocationKey,
    byLineId: string | null,
    now: Date,
  ): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(UNDO, [
      merchantId,
      paymentId,
      now,
      byLineId,
    ]);
    return rows.length === 1;
  }

  /** Allocated amount minus returns, in minor units; 0 for an undone allocation. The caller holds the order's lock. */
  async left(tx: EntityManager, { merchantId, paymentId }: AllocationKey): Promise<number> {
    const rows: { left: number }[] = await tx.query(LEFT, [merchantId, paymentId]);
    return rows[0]?.left ?? 0;
  }

  /**
   * @throws a check violation of `bank_returns_within_payment` when the remaining amount of the allocation or line is
   * exceeded
   */
  async insertReturn(
    tx: EntityManager,
    { merchantId, paymentId }: AllocationKey,
    returned: Pick<BankReturn, 'lineId' | 'amount' | 'saidBy'>,
    now: Date,
  ): Promise<void> {
    await tx.insert(BankReturn, { ...returned, merchantId, paymentId, createdAt: now });
  }

  /** Sum of the line's active returns, in minor units. The caller holds the line's lock. */
  async returnedBy(tx: EntityManager, lineId: string): Promise<number> {
    return (await tx.sum(BankReturn, 'amount', { lineId, undoneAt: IsNull() })) ?? 0;
  }

  /** The newest active return of a payment by this line. The caller holds the line's lock. */
  standingReturn(
    tx: EntityManager,
    lineId: string,
    { merchantId, paymentId }: AllocationKey,
  ): Promise<BankReturn | null> {
    const where = { lineId, merchantId, paymentId, undoneAt: IsNull() };
    return tx.findOne(BankReturn, { where, order: { createdAt: 'DESC' } });
  }

  /** @returns false when it was undone before */
  async undoReturn(
    tx: EntityManager,
    { lineId, merchantId, paymentId, createdAt }: BankReturn,
    userId: string,
    now: Date,
  ): Promise<boolean> {
    const key = [lineId, merchantId, paymentId, createdAt];
    const [rows]: [unknown[], number] = await tx.query(UNDO_RETURN, [...key, now, userId]);
    return rows.length === 1;
  }

  /** Reactivates an allocation that a return had undone, after that return was undone itself. */
  async reactivate(tx: EntityManager, { merchantId, paymentId }: AllocationKey): Promise<void> {
    await tx.query(REACTIVATE, [merchantId, paymentId]);
  }

  /** Active returns of an order's payments. The caller holds the order's lock. */
  returnsOf(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<BankReturn[]> {
    return tx.query(RETURNS_OF, [merchantId, txid]);
  }

  /** Active allocations of an order, newest first. The caller holds the order's lock. */
  standingOf(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<BankAllocation[]> {
    return tx.query(STANDING_OF, [merchantId, txid]);
  }

  /** @returns null for an order whose payer has not been shown transfer instructions */
  async formOf(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<TransferForm | null> {
    const rows: TransferForm[] = await tx.query(FORM, [merchantId, txid]);
    return rows[0] ?? null;
  }

  /** The caller holds the lock of the available balance, so that no payout is created concurrently. */
  async isPaidOut(
    tx: EntityManager,
    { merchantId, txid }: OrderKey,
    paymentId: string | null = null,
  ): Promise<boolean> {
    const values = [merchantId, txid, paymentId];
    const [{ found }] = await tx.query<[{ found: boolean }]>(IS_PAID_OUT, values);
    return found;
  }
}
