import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import { type DoctorFindings, DoctorReport } from './doctor-report.entity.js';

/** Key of the only row. */
const FACTS = 'facts';

const CLAIM: Statement = {
  name: 'doctor_claim',
  text: `INSERT INTO doctor_reports AS r (name, due_at) VALUES ('${FACTS}', $2)
    ON CONFLICT (name) DO UPDATE SET due_at = $2
      -- A later time comes from a clock that was ahead.
      WHERE r.due_at <= $1 OR r.due_at > $2::timestamptz + interval '1 day'
    RETURNING findings`,
};

type Row = { readonly findings: DoctorFindings | null };

/** Stores the result of the last consistency check, and schedules the next one. */
@Injectable()
export class DoctorReportRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(DoctorReport) private readonly reports: LimitedRepository<DoctorReport>,
  ) {}

  /**
   * Claims the next run if it is due; no other process claims one before `until`.
   * @returns the result of the last run; undefined when none is due
   */
  async claim(now: Date, until: Date): Promise<DoctorFindings | null | undefined> {
    return (await this.database.query<Row>(CLAIM, [now, until]))[0]?.findings;
  }

  /** @returns null before the first run */
  async last(): Promise<DoctorFindings | null> {
    return (await this.reports.findOneBy({ name: FACTS }))?.findings ?? null;
  }

  async keep(findings: DoctorFindings, nextAt: Date): Promise<void> {
    await this.reports.update({ name: FACTS }, { findings, dueAt: nextAt });
  }

  /** Reschedules after a failed run. */
  async release(nextAt: Date): Promise<void> {
    await this.reports.update({ name: FACTS }, { dueAt: nextAt });
  }
}
