import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from '../people/user.entity.js';
import { BankAccount } from './bank-account.entity.js';
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

/** What merchants' programs are told of a payout, and each of its events keeps as it was then. */
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

/** Money that is sent on to a merchant's bank account. Only `PayoutsService` changes one. */
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
@Check('payouts_version_check', `version > 0`)
@Check('payouts_paid_at_check', `paid_at IS NULL OR status IN ('paid', 'returned')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'payouts_merchant_fk' })
@ForeignKey(() => BankAccount, ['merchantId', 'bankAccountId'], ['merchantId', 'id'], {
  name: 'payouts_bank_account_fk',
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

  /** Why it was rejected, failed or came back, in a person's words. */
  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason: string | null;

  @Column({ name: 'bank_account_id', type: 'uuid' })
  bankAccountId: string;

  /** The account as it was when the payout was asked for. */
  @Column({ type: 'text' })
  holder: string;

  @Column({ type: 'text' })
  iban: string;

  /** SHA-256 of what goes out: amount, account and lines. Null until it is asked for. */
  @Column({ name: 'content_hash', type: 'bytea', nullable: true })
  contentHash: Buffer | null;

  /** The hash that was approved: nothing else goes out. */
  @Column({ name: 'approved_hash', type: 'bytea', nullable: true })
  approvedHash: Buffer | null;

  /** The user who asked; null = the schedule. */
  @Column({ name: 'requested_by', type: 'uuid', nullable: true })
  requestedBy: string | null;

  /** The form that asked for it: sent twice, it asks once. Null for the schedule. */
  @Column({ name: 'form_id', type: 'uuid', nullable: true })
  formId: string | null;

  @Column({ name: 'approved_by', type: 'uuid', nullable: true })
  approvedBy: string | null;

  @MomentColumn('approved_at', { nullable: true })
  approvedAt: Date | null;

  @Column({ name: 'file_id', type: 'uuid', nullable: true })
  fileId: string | null;

  /** Every change raises it, so that a stale writer changes nothing. */
  @Column({ type: 'integer', default: 1 })
  version: number;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('updated_at')
  updatedAt: Date;

  @MomentColumn('paid_at', { nullable: true })
  paidAt: Date | null;
}

/** What a new payout is made of; the rest has its first value. */
export const NEW_PAYOUT = [
  'merchantId',
  'id',
  'mode',
  'currency',
  'amount',
  'bankAccountId',
  'holder',
  'iban',
  'requestedBy',
  'formId',
  'createdAt',
] as const;

export type NewPayout = Pick<Payout, (typeof NEW_PAYOUT)[number]>;

/** What may change of a payout. */
export type PayoutPatch = Partial<
  Pick<
    Payout,
    | 'amount'
    | 'status'
    | 'statusReason'
    | 'bankAccountId'
    | 'holder'
    | 'iban'
    | 'approvedHash'
    | 'approvedBy'
    | 'approvedAt'
    | 'fileId'
    | 'paidAt'
  >
>;

/** What merchants' programs are told of a payout. */
export type PublicPayout = Pick<
  Payout,
  'id' | 'mode' | 'updatedAt' | (typeof PAYOUT_SNAPSHOT)[number]
>;
