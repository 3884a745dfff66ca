import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { User } from '../../people/user.entity.js';

export const BANK_FILE_SOURCES = ['cli', 'folder', 'portal'] as const;
export type BankFileSource = (typeof BANK_FILE_SOURCES)[number];

/** A bank file that was parsed completely. Unique by content and reading. */
@Entity({ name: 'bank_files' })
@Check('bank_files_mode_check', `mode IN ('test', 'live')`)
@Check('bank_files_source_check', `source IN ('cli', 'folder', 'portal')`)
@Check('bank_files_sha256_check', `octet_length(sha256) = 32`)
@ForeignKey(() => User, ['broughtBy'], ['id'], { name: 'bank_files_brought_by_fk' })
@Index('bank_files_once', ['mode', 'sha256', 'reading'], { unique: true })
export class BankFile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_files_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** Hash of the CSV profile; empty for self-describing formats. */
  @Column({ type: 'text', default: '' })
  reading: string;

  /** Original file name. */
  @Column({ type: 'text' })
  name: string;

  /** In bytes. */
  @MinorColumn('size')
  size: number;

  /** For example `camt.053.001.08`; several formats of an archive are joined. */
  @Column({ type: 'text' })
  format: string;

  @Column({ type: 'text' })
  source: BankFileSource;

  /** The user who uploaded it at the portal. */
  @Column({ name: 'brought_by', type: 'uuid', nullable: true })
  broughtBy: string | null;

  @Column({ type: 'json' })
  warnings: readonly { readonly code: string; readonly detail: string }[];

  @TimestampColumn('created_at')
  createdAt: Date;

  /** When all its lines were stored; null = the import was interrupted and resumes when the file is imported again. */
  @TimestampColumn('imported_at', { nullable: true })
  importedAt: Date | null;
}
