import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { columnsOf, insertOf, parametersOf, valuesOf } from '../entity-sql.js';
import type { RefundKey } from '../refunds/refund.repository.js';
import { SandboxRefund } from './sandbox-refund.entity.js';

const ALL = ['merchantId', 'refundId', 'amount', 'currency', 'outcome', 'bookedAt'] as const;
const INSERT = insertOf(SandboxRefund, parametersOf(ALL));

/** Idempotent: a repeat changes nothing. */
const OPEN: Statement = { name: 'sandbox_refund_open', text: `${INSERT} ON CONFLICT DO NOTHING` };

const DECIDE: Statement = {
  name: 'sandbox_refund_decide',
  text: `${INSERT} ON CONFLICT ON CONSTRAINT sandbox_refunds_pk
    DO UPDATE SET outcome = excluded.outcome, booked_at = excluded.booked_at`,
};

const FIND: Statement = {
  name: 'sandbox_refund_find',
  text: `SELECT ${columnsOf('s', SandboxRefund)} FROM sandbox_refunds s
    WHERE s.merchant_id = $1 AND s.refund_id = $2`,
};

/** Stores the sandbox bank's refunds. Used by the sandbox bank only. */
@Injectable()
export class SandboxRefundRepository {
  constructor(private readonly database: Database) {}

  async open(refund: SandboxRefund): Promise<void> {
    await this.database.query(OPEN, valuesOf(ALL, refund));
  }

  /** Sets the outcome, also of a refund that the bank does not have yet. */
  async decide(refund: SandboxRefund): Promise<void> {
    await this.database.query(DECIDE, valuesOf(ALL, refund));
  }

  async find({ merchantId, id }: RefundKey): Promise<SandboxRefund | null> {
    return (await this.database.query<SandboxRefund>(FIND, [merchantId, id]))[0] ?? null;
  }
}
