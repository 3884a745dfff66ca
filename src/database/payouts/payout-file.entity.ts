import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { User } from '../people/user.entity.js';

export const BANK_FILE_FORMATS = ['pain.001.001.09', 'pain.001.001.03'] as const;
export type BankFileFormat = (typeof BANK_FILE_FORMATS)[number];

/** A payment file for the bank with payouts of many merchants. Immutable. */
@Entity({ name: 'payout_files' })
@Check('payout_files_mode_check', `mode IN ('test', 'live')`)
@Check('payout_files_format_check', `format IN ('pain.001.001.09', 'pain.001.001.03')`)
@Check('payout_files_sha256_check', `octet_length(sha256) = 32`)
@Check('payout_files_payouts_check', `payouts > 0`)
@Check('payout_files_amount_check', `amount > 0`)
@ForeignKey(() => User, ['createdBy'], ['id'], { name: 'payout_files_created_by_fk' })
@Index('payout_files_message', ['messageId'], { unique: true })
export class PayoutFile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'payout_files_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'text' })
  currency: string;

  @Column({ type: 'text' })
  format: BankFileFormat;

  @Column({ name: 'message_id', type: 'text' })
  messageId: string;

  /** The XML as created. */
  @Column({ type: 'text' })
  content: string;

  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** Number of payouts. */
  @Column({ type: 'integer' })
  payouts: number;

  /** Total of the payouts. */
  @MinorColumn('amount')
  amount: number;

  @Column({ name: 'created_by', type: 'uuid' })
  createdBy: string;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** When an operator marked it as not sent; its payouts may go into another file. */
  @TimestampColumn('not_sent_at', { nullable: true })
  notSentAt: Date | null;
}
