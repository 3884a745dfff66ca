import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';

/**
 * The settings `SINGLE_OPERATOR` and `SECOND_PERSON_WAIT_HOURS` of the process that started last, for triggers. One
 * row, written only at the start of a server.
 */
@Entity({ name: 'operating_rules' })
@Check('operating_rules_id_check', 'id = 1')
@Check('operating_rules_waiting_hours_check', 'waiting_hours BETWEEN 1 AND 720')
export class OperatingRules {
  @PrimaryColumn({ type: 'smallint', primaryKeyConstraintName: 'operating_rules_pk' })
  id: number;

  /** Whether a waiting period and mails replace the second person. */
  @Column({ name: 'single_operator', type: 'boolean' })
  singleOperator: boolean;

  @Column({ name: 'waiting_hours', type: 'integer' })
  waitingHours: number;

  /** When one of the two last changed; 1970 before the first change. */
  @TimestampColumn('changed_at')
  changedAt: Date;
}
