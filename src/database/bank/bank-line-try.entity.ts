import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';

/**
 * A line at which rules look now, or at which they began to look and came to no end: its process is gone, or it failed.
 * Without a foreign key: that would wait for whoever books the line at the moment.
 */
@Entity({ name: 'bank_line_tries' })
@Check('bank_line_tries_tries_check', 'tries > 0')
export class BankLineTry {
  @PrimaryColumn({ name: 'line_id', type: 'uuid', primaryKeyConstraintName: 'bank_line_tries_pk' })
  lineId: string;

  /** How often somebody began. */
  @Column({ type: 'smallint' })
  tries: number;

  /** When somebody last began. */
  @MomentColumn('tried_at')
  triedAt: Date;
}
