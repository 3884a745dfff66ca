import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { BankFile } from './bank-file.entity.js';

/** A statement as one file had it; the same one of another file is another row. */
@Entity({ name: 'bank_statements' })
@Check('bank_statements_mode_check', `mode IN ('test', 'live')`)
@ForeignKey(() => BankFile, ['fileId'], ['id'], { name: 'bank_statements_file_fk' })
@Index('bank_statements_of_file', ['fileId', 'number'], { unique: true })
@Check('bank_statements_booked_check', 'booked_from <= booked_until')
@Index('bank_statements_account', ['mode', 'account', 'coversUntil'])
@Index('bank_statements_booked', ['mode', 'account', 'bookedUntil'])
export class StoredStatement {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_statements_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ name: 'file_id', type: 'uuid' })
  fileId: string;

  /** Of the file, from 0. */
  @Column({ type: 'integer' })
  number: number;

  /** The format of its text, such as `camt.053.001.08` or `MT940`. */
  @Column({ type: 'text' })
  format: string;

  /** The bank's own name for it. */
  @Column({ name: 'statement_id', type: 'text', nullable: true })
  statementId: string | null;

  @Column({ type: 'text', nullable: true })
  sequence: string | null;

  /** Whose statement it is: as `ownAccount` writes it, so that all formats of one account agree. */
  @Column({ type: 'text' })
  account: string;

  @Column({ type: 'text', nullable: true })
  currency: string | null;

  /** Minor units, negative when overdrawn. */
  @MinorColumn('opening_balance', { nullable: true })
  openingBalance: number | null;

  @MinorColumn('closing_balance', { nullable: true })
  closingBalance: number | null;

  @Column({ type: 'boolean', nullable: true })
  balanced: boolean | null;

  /** The last day of which it has all bookings (`YYYY-MM-DD`); null for those that only announce. */
  @Column({ name: 'covers_until', type: 'date', nullable: true })
  coversUntil: string | null;

  /** The first such day. */
  @Column({ name: 'covers_from', type: 'date', nullable: true })
  coversFrom: string | null;

  /** The day of its first booking, whatever it calls its own days; null when it has none, or one whose day is not known. */
  @Column({ name: 'booked_from', type: 'date', nullable: true })
  bookedFrom: string | null;

  /** The same of its last one. */
  @Column({ name: 'booked_until', type: 'date', nullable: true })
  bookedUntil: string | null;

  @MomentColumn('created_at')
  createdAt: Date;
}
