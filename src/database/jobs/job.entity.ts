import { Entity, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';

/** A recurring background task. All processes share its next run. */
@Entity({ name: 'jobs' })
export class Job {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'jobs_pk' })
  name: string;

  /** Compared with the clock of the database. */
  @TimestampColumn('due_at')
  dueAt: Date;
}
