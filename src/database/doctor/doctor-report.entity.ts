import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';

/** A failed check. */
export interface BrokenFact {
  readonly name: string;
  readonly description: string;
  readonly violations: number;
}

/** Result of the last run. */
export interface DoctorFindings {
  /** ISO 8601. */
  readonly finishedAt: string;
  readonly seconds: number;
  readonly facts: number;
  readonly broken: readonly BrokenFact[];
}

/** Result of the last consistency check and when the next one is due; one row for all processes. */
@Entity({ name: 'doctor_reports' })
export class DoctorReport {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'doctor_reports_pk' })
  name: string;

  /** Earliest start of the next run, for all processes. */
  @TimestampColumn('due_at')
  dueAt: Date;

  /** Null until the first run has finished. */
  @Column({ type: 'jsonb', nullable: true })
  findings: DoctorFindings | null;
}
