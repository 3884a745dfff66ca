import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';

/** An import of a file that is under way, or that came to no end because its process is gone. */
@Entity({ name: 'bank_file_tries' })
@Check('bank_file_tries_mode_check', `mode IN ('test', 'live')`)
@Index('bank_file_tries_file', ['mode', 'sha256'])
export class BankFileTry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_file_tries_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** Of the file's bytes. */
  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** When its process last said that it goes on. */
  @MomentColumn('alive_at')
  aliveAt: Date;
}
