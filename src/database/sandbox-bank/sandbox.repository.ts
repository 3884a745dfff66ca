import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { columnsOf } from '../entity-sql.js';
import type { OrderKey } from '../keys.js';
import { fairOrder } from '../fair-order.js';
import { SandboxTransaction } from './sandbox-transaction.entity.js';

const COLUMNS = columnsOf('sandbox_transactions', SandboxTransaction);

/** Idempotent: returns the existing row for a payment. */
const OPEN: Statement = {
  name: 'sandbox_open',
  text: `INSERT INTO sandbox_transactions
      (merchant_id, payment_id, reference, amount, currency, payee_name, return_url, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT ON CONSTRAINT sandbox_transactions_pk DO UPDATE SET repeat = sandbox_transactions.repeat
    RETURNING ${COLUMNS}`,
};

const DECISION = `outcome = $3, paid_amount = $4, paid_currency = $5, payer_account_number = $6,
  payer_account_type = $7, payer_account_name = $8, decline_code = $9, payer_due_at = $10,
  due_at = $11, repeat = $12`;

const DECIDE: Statement = {
  name: 'sandbox_decide',
  text: `UPDATE sandbox_transactions SET ${DECISION}
    WHERE merchant_id = $1 AND payment_id = $2
      AND (outcome IS NULL OR outcome IN ('pending', 'unknown')) RETURNING ${COLUMNS}`,
};

/** Changes the outcome of an order's newest payment without money. */
const CHANGE_MIND: Statement = {
  name: 'sandbox_change_mind',
  text: `UPDATE sandbox_transactions SET ${DECISION}
    WHERE merchant_id = $1 AND outcome IN ('declined', 'cancelled') AND payment_id = (
      SELECT b.payment_id FROM payments p
      JOIN sandbox_transactions b ON b.merchant_id = p.merchant_id AND b.payment_id = p.id
      WHERE p.merchant_id = $1 AND p.txid = $2 AND b.outcome IN ('declined', 'cancelled')
      ORDER BY p.created_at DESC, p.id DESC LIMIT 1)
    RETURNING ${COLUMNS}`,
};

const FIND: Statement = {
  name: 'sandbox_find',
  text: `SELECT ${COLUMNS} FROM sandbox_transactions WHERE merchant_id = $1 AND payment_id = $2`,
};

const FIND_BY_REFERENCE: Statement = {
  name: 'sandbox_find_by_reference',
  text: `SELECT ${COLUMNS} FROM sandbox_transactions WHERE reference = $1`,
};

/** A payment whose payer is reported later becomes due again then. */
const TAKE_DUE: Statement = {
  name: 'sandbox_take_due',
  text: `UPDATE sandbox_transactions
    SET due_at = CASE WHEN due_at < payer_due_at THEN payer_due_at END WHERE due_at <= $1
      AND (merchant_id, payment_id) IN (${fairOrder({
        columns: 'merchant_id, payment_id',
        table: 'sandbox_transactions',
        due: 'due_at <= $1',
        order: 'due_at',
        limit: '$2',
      })})
    RETURNING ${COLUMNS}`,
};

const NEXT_DUE: Statement = {
  name: 'sandbox_next_due',
  text: 'SELECT min(due_at) AS "nextDue" FROM sandbox_transactions WHERE due_at IS NOT NULL',
};

/** Cancels undecided payments. */
const VOID: Statement = {
  name: 'sandbox_void',
  text: `UPDATE sandbox_transactions SET due_at = NULL,
      outcome = 'cancelled'
    WHERE merchant_id = $1 AND payment_id = $2
      AND (outcome IS NULL OR outcome IN ('pending', 'cancelled')) RETURNING ${COLUMNS}`,
};

export type SandboxDecision = Pick<
  SandboxTransaction,
  | 'outcome'
  | 'paidAmount'
  | 'paidCurrency'
  | 'payerAccountNumber'
  | 'payerAccountType'
  | 'payerAccountName'
  | 'declineCode'
  | 'payerDueAt'
  | 'dueAt'
  | 'repeat'
>;

const valuesOfDecision = (decision: SandboxDecision): unknown[] => [
  decision.outcome,
  decision.paidAmount,
  decision.paidCurrency,
  decision.payerAccountNumber,
  decision.payerAccountType,
  decision.payerAccountName,
  decision.declineCode,
  decision.payerDueAt,
  decision.dueAt,
  decision.repeat,
];

type Key = Pick<SandboxTransaction, 'merchantId' | 'paymentId'>;

/** Stores the sandbox bank's payments. Used by the sandbox bank only. */
@Injectable()
export class SandboxRepository {
  constructor(private readonly database: Database) {}

  async open(line: Omit<SandboxTransaction, keyof SandboxDecision>): Promise<SandboxTransaction> {
    const rows = await this.database.query<SandboxTransaction>(OPEN, [
      line.merchantId,
      line.paymentId,
      line.reference,
      line.amount,
      line.currency,
      line.payeeName,
      line.returnUrl,
      line.createdAt,
    ]);
    return rows[0]!;
  }

  /** @returns null when the outcome is decided already */
  async decide(key: Key, decision: SandboxDecision): Promise<SandboxTransaction | null> {
    const values = [key.merchantId, key.paymentId, ...valuesOfDecision(decision)];
    return (await this.database.query<SandboxTransaction>(DECIDE, values))[0] ?? null;
  }

  /** @returns null when the order has no declined or cancelled payment */
  async sendLatePayment(
    key: OrderKey,
    decision: SandboxDecision,
  ): Promise<SandboxTransaction | null> {
    const values = [key.merchantId, key.txid, ...valuesOfDecision(decision)];
    return (await this.database.query<SandboxTransaction>(CHANGE_MIND, values))[0] ?? null;
  }

  async find(key: Key): Promise<SandboxTransaction | null> {
    const values = [key.merchantId, key.paymentId];
    return (await this.database.query<SandboxTransaction>(FIND, values))[0] ?? null;
  }

  async findByReference(reference: string): Promise<SandboxTransaction | null> {
    return (
      (await this.database.query<SandboxTransaction>(FIND_BY_REFERENCE, [reference]))[0] ?? null
    );
  }

  /** Claims payments whose callback is due, alternating between merchants. */
  takeDue(now: Date, limit: number): Promise<SandboxTransaction[]> {
    return this.database.query<SandboxTransaction>(TAKE_DUE, [now, limit]);
  }

  /** When the next callback is due; null = none. */
  async nextDue(): Promise<Date | null> {
    const rows = await this.database.query<{ nextDue: Date | null }>(NEXT_DUE, []);
    return rows[0]?.nextDue ?? null;
  }

  /** @returns null when another outcome was decided before */
  async void(key: Key): Promise<SandboxTransaction | null> {
    const values = [key.merchantId, key.paymentId];
    return (await this.database.query<SandboxTransaction>(VOID, values))[0] ?? null;
  }
}
