import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Order } from '../orders/order.entity.js';
import { Payment } from '../payments/payment.entity.js';
import { User } from '../people/user.entity.js';

export const REFUND_STATUSES = [
  'requested',
  'approved',
  'submitted',
  'succeeded',
  'failed',
  'cancelled',
  'rejected',
] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_METHODS = ['provider', 'bank'] as const;
export type RefundMethod = (typeof REFUND_METHODS)[number];

export const REFUND_ORIGINS = ['api', 'portal'] as const;
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

export const REFUND_REASON_MAX = 140;

/** Columns in the snapshots of refund events: not the reason, which is erased with the order. */
export const REFUND_SNAPSHOT = [
  'id',
  'refundMerchantId',
  'amount',
  'currency',
  'status',
  'statusReason',
  'method',
  'origin',
  'createdAt',
  'updatedAt',
  'completedAt',
] as const;

/** Money of a payment that goes back to its payer. Changed only by `RefundMover`. */
@Entity({ name: 'refunds' })
@Check('refunds_amount_check', `amount > 0`)
@Check(
  'refunds_approved_check',
  `mode = 'test' OR method = 'bank' OR approved_by IS NOT NULL OR status IN ('requested', 'cancelled', 'rejected')`,
)
@Check(
  'refunds_completed_check',
  `(status IN ('requested', 'approved', 'submitted')) = (completed_at IS NULL)`,
)
@Check('refunds_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('refunds_method_check', `method IN ('provider', 'bank')`)
@Check('refunds_mode_check', `mode IN ('test', 'live')`)
@Check('refunds_origin_check', `origin IN ('api', 'portal')`)
@Check('refunds_reason_check', `char_length(reason) BETWEEN 1 AND 140`)
@Check('refunds_reference_check', `char_length(refund_merchant_id) BETWEEN 1 AND 64`)
@Check(
  'refunds_status_check',
  `status IN ('requested', 'approved', 'submitted', 'succeeded', 'failed', 'cancelled', 'rejected')`,
)
@Check('refunds_requester_check', `mode = 'test' OR method = 'bank' OR requested_by IS NOT NULL`)
@Check('refunds_two_people_check', `approved_by <> requested_by`)
@Check('refunds_unallocated_check', `from_unallocated BETWEEN 0 AND amount`)
@Check('refunds_version_check', `version > 0`)
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'refunds_order_fk',
})
@ForeignKey(() => Payment, ['merchantId', 'paymentId'], ['merchantId', 'id'], {
  name: 'refunds_payment_fk',
})
@ForeignKey(() => User, ['requestedBy'], ['id'], { name: 'refunds_requested_by_fk' })
@ForeignKey(() => User, ['approvedBy'], ['id'], { name: 'refunds_approved_by_fk' })
@Index('refunds_order', ['merchantId', 'txid', 'id'])
@Index('refunds_list', ['merchantId', 'mode', 'id'])
@Index('refunds_list_status', ['merchantId', 'mode', 'status', 'id'])
@Index('refunds_due', ['merchantId', 'mode', 'nextAttemptAt'], {
  where: 'next_attempt_at IS NOT NULL',
})
@Index('refunds_merchant_id_once', ['merchantId', 'mode', 'refundMerchantId'], {
  unique: true,
  where: 'refund_merchant_id IS NOT NULL',
})
export class Refund {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'refunds_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'refunds_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'uuid' })
  txid: string;

  /** The payment whose money it returns. */
  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  /** The merchant's own id; unique per mode. */
  @Column({ name: 'refund_merchant_id', type: 'text', nullable: true })
  refundMerchantId: string | null;

  /** SHA-256 of the canonical request, to distinguish a retry from another refund with the same id. */
  @Column({ name: 'content_hash', type: 'bytea' })
  contentHash: Buffer;

  @MinorColumn('amount')
  amount: number;

  /** Part of the amount that comes from the order's unallocated funds; the rest comes from `available`. */
  @MinorColumn('from_unallocated')
  fromUnallocated: number;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  status: RefundStatus;

  /** Why it waits for the payer, failed, or was rejected, as free text. */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason: string | null;

  @Column({ type: 'text' })
  method: RefundMethod;

  @Column({ type: 'text' })
  origin: RefundOrigin;

  /** The merchant's reason. */
  @Column({ type: 'text', nullable: true })
  reason: string | null;

  /** The user who requested it, or who created the API key; null = a key of the command line, never for live refunds by a provider. */
  @Column({ name: 'requested_by', type: 'uuid', nullable: true })
  requestedBy: string | null;

  /** Null for a refund by bank: an operator approves its payout. */
  @Column({ name: 'approved_by', type: 'uuid', nullable: true })
  approvedBy: string | null;

  /** The provider's id of the refund. */
  @Column({ name: 'provider_reference', type: 'text', nullable: true })
  providerReference: string | null;

  /** Number of calls to the provider. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Next call to the provider, or when the payer has no more time to enter an account; null = none. */
  @TimestampColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  /** Incremented by every change of the status. */
  @Column({ type: 'integer', default: 1 })
  version: number;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;

  /** When it succeeded or ended. */
  @TimestampColumn('completed_at', { nullable: true })
  completedAt: Date | null;
}

/** Columns of a new refund. */
export const NEW_REFUND = [
  'merchantId',
  'id',
  'mode',
  'txid',
  'paymentId',
  'refundMerchantId',
  'contentHash',
  'amount',
  'fromUnallocated',
  'currency',
  'status',
  'statusReason',
  'method',
  'origin',
  'reason',
  'requestedBy',
  'nextAttemptAt',
  'createdAt',
  'updatedAt',
] as const;

export type NewRefund = Pick<Refund, (typeof NEW_REFUND)[number]>;

/** Columns that a change of the status may set. */
export type RefundPatch = Partial<
  Pick<Refund, 'statusReason' | 'approvedBy' | 'providerReference' | 'nextAttemptAt'>
>;

/** A refund in API answers, with its order's own id. */
export type PublicRefund = Pick<
  Refund,
  'mode' | 'txid' | 'reason' | (typeof REFUND_SNAPSHOT)[number]
> & {
  readonly orderMerchantId: string;
};
