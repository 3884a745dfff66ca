import { Column, Entity, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';

/** A fact that does not hold. */
export interface BrokenFact {
  readonly name: string;
  readonly says: string;
  readonly violations: number;
}

/** What the last examination found. */
export interface DoctorFindings {
  /** ISO 8601. */
  readonly finishedAt: string;
  readonly seconds: number;
  readonly facts: number;
  readonly broken: readonly BrokenFact[];
}

/** The last word of the doctor, and when the next one is due; one row for all processes. */
@Entity({ name: 'doctor_reports' })
export class DoctorReport {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'doctor_reports_pk' })
  name: string;

  /** No process examines before. */
  @MomentColumn('due_at')
  dueAt: Date;

  /** Null until the first examination has ended. */
  @Column({ type: 'jsonb', nullable: true })
  findings: DoctorFindings | null;
}
