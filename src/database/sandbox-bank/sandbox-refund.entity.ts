import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import { Refund } from '../refunds/refund.entity.js';

export const SANDBOX_REFUND_OUTCOMES = ['succeeded', 'failed', 'returned', 'silent'] as const;
export type SandboxRefundOutcome = (typeof SANDBOX_REFUND_OUTCOMES)[number];

/** A refund at the sandbox bank. */
@Entity({ name: 'sandbox_refunds' })
@Check('sandbox_refunds_outcome_check', `outcome IN ('succeeded', 'failed', 'returned', 'silent')`)
@ForeignKey(() => Refund, ['merchantId', 'refundId'], ['merchantId', 'id'], {
  name: 'sandbox_refunds_refund_fk',
})
export class SandboxRefund {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'sandbox_refunds_pk',
  })
  merchantId: string;

  /** The idempotency key of the call. */
  @PrimaryColumn({
    name: 'refund_id',
    type: 'uuid',
    primaryKeyConstraintName: 'sandbox_refunds_pk',
  })
  refundId: string;

  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  currency: string;

  /** `silent`: the bank has the refund, but does not answer. */
  @Column({ type: 'text' })
  outcome: SandboxRefundOutcome;

  /** Until then, the refund is pending. */
  @TimestampColumn('booked_at')
  bookedAt: Date;
}
