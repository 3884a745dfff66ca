import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';
import type { Mode } from '../../merchants/api-key.entity.js';

/** An attempt to import a file that is running, failed, or was interrupted because its process died. */
@Entity({ name: 'bank_file_tries' })
@Check('bank_file_tries_mode_check', `mode IN ('test', 'live')`)
@Index('bank_file_tries_file', ['mode', 'sha256'])
export class BankFileTry {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'bank_file_tries_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** Hash of the file's bytes. */
  @Column({ type: 'bytea' })
  sha256: Buffer;

  /** Last heartbeat of the importing process. */
  @TimestampColumn('alive_at')
  aliveAt: Date;

  /** Whether it failed: the file was neither stored nor rejected. */
  @Column({ type: 'boolean', default: false })
  failed: boolean;
}
