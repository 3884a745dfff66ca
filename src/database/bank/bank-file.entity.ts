import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { User } from '../people/user.entity.js';

export const BANK_FILE_SOURCES = ['cli', 'folder', 'portal'] as const;
export type BankFileSource = (typeof BANK_FILE_SOURCES)[number];

/** A file of a bank that was read to its end. The same bytes are one file. */
@Entity({ name: 'bank_files' })
@Check('bank_files_mode_check', `mode IN ('test', 'live')`)
@Check('bank_files_source_check', `source IN ('cli', 'folder', 'portal')`)
@Check('bank_files_sha256_check', `octet_length(sha256) = 32`)
@ForeignKey(() => User, ['broughtBy'], ['id'], { name: 'bank_files_brought_by_fk' })
@Index('bank_files_once', ['mode', 'sha256'], { unique: true })
export class BankFile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_files_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** As it was called where it came from. */
  @Column({ type: 'text' })
  name: string;

  /** Bytes. */
  @MinorColumn('size')
  size: number;

  /** Such as `camt.053.001.08`; several of an archive are joined. */
  @Column({ type: 'text' })
  format: string;

  @Column({ type: 'text' })
  source: BankFileSource;

  /** Who brought it at the portal. */
  @Column({ name: 'brought_by', type: 'uuid', nullable: true })
  broughtBy: string | null;

  @Column({ type: 'json' })
  warnings: readonly { readonly code: string; readonly detail: string }[];

  @MomentColumn('created_at')
  createdAt: Date;

  /** When all its lines were stored; null = it was cut off, and is gone on with when it comes again. */
  @MomentColumn('imported_at', { nullable: true })
  importedAt: Date | null;
}
