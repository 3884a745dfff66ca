import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { BankFile } from './bank-file.entity.js';

/** A statement of a file; the same statement in another file is another row. */
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

  /** Index within the file, from 0. */
  @Column({ type: 'integer' })
  number: number;

  /** Format, for example `camt.053.001.08` or `MT940`. */
  @Column({ type: 'text' })
  format: string;

  /** The bank's id of the statement. */
  @Column({ name: 'statement_id', type: 'text', nullable: true })
  statementId: string | null;

  @Column({ type: 'text', nullable: true })
  sequence: string | null;

  /** The account, normalized by `ownAccount`, so that all formats agree. */
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

  /** The last day it covers completely (`YYYY-MM-DD`); null for statements that only announce bookings. */
  @Column({ name: 'covers_until', type: 'date', nullable: true })
  coversUntil: string | null;

  /** The first day it covers completely. */
  @Column({ name: 'covers_from', type: 'date', nullable: true })
  coversFrom: string | null;

  /**
   * Day of its earliest booking, regardless of the dates in its header; null without bookings, or when a booking's day
   * is unknown.
   */
  @Column({ name: 'booked_from', type: 'date', nullable: true })
  bookedFrom: string | null;

  /** Day of its latest booking. */
  @Column({ name: 'booked_until', type: 'date', nullable: true })
  bookedUntil: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
