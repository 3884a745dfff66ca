import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from '../people/user.entity.js';
import { Refund } from '../refunds/refund.entity.js';
import { BankAccount } from './bank-accounts/bank-account.entity.js';
import { PayoutFile } from './payout-file.entity.js';

export const PAYOUT_STATUSES = [
  'draft',
  'pending_approval',
  'approved',
  'exported',
  'submitted',
  'paid',
  'rejected',
  'cancelled',
  'failed',
  'returned',
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Columns in the API's payouts and in the snapshots of payout events. */
export const PAYOUT_SNAPSHOT = [
  'status',
  'statusReason',
  'amount',
  'currency',
  'requestedBy',
  'createdAt',
  'holder',
  'iban',
  'paidAt',
] as const;

const WAITS = `status IN ('pending_approval', 'approved', 'exported', 'submitted')`;

/** A payout to a merchant's bank account, or a refund by bank to a payer's. Changed only by `PayoutMover`. */
@Entity({ name: 'payouts' })
@Check('payouts_mode_check', `mode IN ('test', 'live')`)
@Check('payouts_currency_check', `currency ~ '^[A-Z]{3}$'`)
@Check('payouts_amount_check', `amount > 0`)
@Check(
  'payouts_status_check',
  `status IN ('draft', 'pending_approval', 'approved', 'exported', 'submitted', 'paid', 'rejected',
    'cancelled', 'failed', 'returned')`,
)
@Check('payouts_two_people_check', `approved_by <> requested_by`)
@Check('payouts_hash_check', `status IN ('draft', 'cancelled') OR content_hash IS NOT NULL`)
@Check(
  'payouts_approved_check',
  `(approved_by IS NULL) = (approved_at IS NULL) AND (approved_by IS NULL) = (approved_hash IS NULL)
    AND (approved_by IS NOT NULL
      OR status IN ('draft', 'pending_approval', 'rejected', 'cancelled'))`,
)
@Check(
  'payouts_file_check',
  `file_id IS NOT NULL
    OR status NOT IN ('exported', 'submitted', 'paid', 'failed', 'returned')`,
)
@Check(
  'payouts_refund_check',
  `(refund_id IS NULL) = (bank_account_id IS NOT NULL) AND (refund_id IS NULL) = (remittance IS NULL)
    AND (refund_id IS NULL OR refund_id = id)`,
)
@Check('payouts_remittance_check', `remittance ~ '^[-A-Za-z0-9/?:().,''+ ]{1,140}$'`)
@Check('payouts_version_check', `version > 0`)
@Check('payouts_paid_at_check', `paid_at IS NULL OR status IN ('paid', 'returned')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'payouts_merchant_fk' })
@ForeignKey(() => BankAccount, ['merchantId', 'bankAccountId'], ['merchantId', 'id'], {
  name: 'payouts_bank_account_fk',
})
@ForeignKey(() => Refund, ['merchantId', 'refundId'], ['merchantId', 'id'], {
  name: 'payouts_refund_fk',
})
@ForeignKey(() => User, ['requestedBy'], ['id'], { name: 'payouts_requested_by_fk' })
@ForeignKey(() => User, ['approvedBy'], ['id'], { name: 'payouts_approved_by_fk' })
@ForeignKey(() => PayoutFile, ['fileId'], ['id'], { name: 'payouts_file_fk' })
@Index('payouts_id', ['id'], { unique: true })
@Index('payouts_form', ['merchantId', 'mode', 'formId'], {
  unique: true,
  where: 'form_id IS NOT NULL',
})
@Index('payouts_list', ['merchantId', 'mode', 'id'])
@Index('payouts_queue', ['mode', 'status', 'id'], { where: WAITS })
@Index('payouts_refunds', ['merchantId', 'updatedAt'], { where: 'refund_id IS NOT NULL' })
@Index('payouts_waiting', ['merchantId', 'mode', 'id'], { where: `status = 'pending_approval'` })
@Index('payouts_file', ['fileId'], { where: 'file_id IS NOT NULL' })
export class Payout {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'payouts_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payouts_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'text' })
  currency: string;

  @MinorColumn('amount')
  amount: number;

  @Column({ type: 'text' })
  status: PayoutStatus;

  /** Why it was rejected, failed or returned, as free text. */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason: string | null;

  /** Null for a refund. */
  @Column({ name: 'bank_account_id', type: 'uuid', nullable: true })
  bankAccountId: string | null;

  /** The refund that it sends, with the same id; null for a payout to the merchant. */
  @Column({ name: 'refund_id', type: 'uuid', nullable: true })
  refundId: string | null;

  /** The account at the time of the request. */
  @Column({ type: 'text' })
  holder: string;

  @Column({ type: 'text' })
  iban: string;

  /** Text for the payer in the characters of `sepaText`; null for a payout to the merchant. */
  @Column({ type: 'text', nullable: true })
  remittance: string | null;

  /** SHA-256 of amount, account and lines. Null for a draft. */
  @Column({ name: 'content_hash', type: 'bytea', nullable: true })
  contentHash: Buffer | null;

  /** The approved `contentHash`; the payout is sent only if it still matches. */
  @Column({ name: 'approved_hash', type: 'bytea', nullable: true })
  approvedHash: Buffer | null;

  /** The user who requested it; null = the schedule. */
  @Column({ name: 'requested_by', type: 'uuid', nullable: true })
  requestedBy: string | null;

  /** Idempotency key of the request form. Null for the schedule. */
  @Column({ name: 'form_id', type: 'uuid', nullable: true })
  formId: string | null;

  @Column({ name: 'approved_by', type: 'uuid', nullable: true })
  approvedBy: string | null;

  @TimestampColumn('approved_at', { nullable: true })
  approvedAt: Date | null;

  @Column({ name: 'file_id', type: 'uuid', nullable: true })
  fileId: string | null;

  /** Incremented by every change (optimistic locking). */
  @Column({ type: 'integer', default: 1 })
  version: number;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;

  @TimestampColumn('paid_at', { nullable: true })
  paidAt: Date | null;
}

/** Columns of a new payout; the others have their defaults. */
export const NEW_PAYOUT = [
  'merchantId',
  'id',
  'mode',
  'currency',
  'amount',
  'bankAccountId',
  'refundId',
  'holder',
  'iban',
  'remittance',
  'requestedBy',
  'formId',
  'createdAt',
] as const;

export type NewPayout = Pick<Payout, (typeof NEW_PAYOUT)[number]>;

/** Columns of a payout that may change. */
export type PayoutPatch = Partial<
  Pick<
    Payout,
    | 'amount'
    | 'status'
    | 'statusReason'
    | 'bankAccountId'
    | 'holder'
    | 'iban'
    | 'contentHash'
    | 'approvedHash'
    | 'approvedBy'
    | 'approvedAt'
    | 'fileId'
    | 'paidAt'
  >
>;

/** A payout as the API shows it. */
export type PublicPayout = Pick<
  Payout,
  'id' | 'mode' | 'updatedAt' | (typeof PAYOUT_SNAPSHOT)[number]
>;
