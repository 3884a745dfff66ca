import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';

/**
 * The settings `SINGLE_OPERATOR` and `SECOND_PERSON_WAIT_HOURS` of the process that started last, for
 * triggers to read. One row; only the start of a server writes it.
 */
@Entity({ name: 'operating_rules' })
@Check('operating_rules_id_check', 'id = 1')
@Check('operating_rules_waiting_hours_check', 'waiting_hours BETWEEN 1 AND 720')
export class OperatingRules {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'operating_rules_pk' })
  id: number;

  /** Whether a waiting time and mails stand in for the second person. */
  @Column({ name: 'single_operator', type: 'boolean' })
  singleOperator: boolean;

  @Column({ name: 'waiting_hours', type: 'integer' })
  waitingHours: number;

  /** When the two last changed; 1970 while nobody has set either. */
  @MomentColumn('changed_at')
  changedAt: Date;
}
