import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../../columns.js';

/**
 * A line whose matching is in progress, was interrupted because the process died, or failed. There is no foreign key,
 * because it would wait for a concurrent transaction that locks the line.
 */
@Entity({ name: 'bank_line_tries' })
@Check('bank_line_tries_tries_check', 'tries > 0')
export class BankLineTry {
  @PrimaryColumn({ name: 'line_id', type: 'uuid', primaryKeyConstraintName: 'bank_line_tries_pk' })
  lineId: string;

  /** Number of attempts. */
  @Column({ type: 'smallint' })
  tries: number;

  /** Start of the last attempt. */
  @TimestampColumn('tried_at')
  triedAt: Date;
}
