import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Database, type Statement } from '../database.js';
import type { GatedRepository } from '../gated-repository.js';
import { type DoctorFindings, DoctorReport } from './doctor-report.entity.js';

/** The only report. */
const FACTS = 'facts';

const CLAIM: Statement = {
  name: 'doctor_claim',
  text: `INSERT INTO doctor_reports AS r (name, due_at) VALUES ('${FACTS}', $2)
    ON CONFLICT (name) DO UPDATE SET due_at = $2 WHERE r.due_at <= $1
    RETURNING findings`,
};

type Row = { readonly findings: DoctorFindings | null };

/** What the last examination found. */
@Injectable()
export class DoctorReportRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(DoctorReport) private readonly reports: GatedRepository<DoctorReport>,
  ) {}

  /**
   * Takes the next examination, if it is due; nobody else does before `until`.
   * @returns what the last one found; undefined when none is due
   */
  async claim(now: Date, until: Date): Promise<DoctorFindings | null | undefined> {
    return (await this.database.query<Row>(CLAIM, [now, until]))[0]?.findings;
  }

  /** Null before the first. */
  async last(): Promise<DoctorFindings | null> {
    return (await this.reports.findOneBy({ name: FACTS }))?.findings ?? null;
  }

  async keep(findings: DoctorFindings, nextAt: Date): Promise<void> {
    await this.reports.update({ name: FACTS }, { findings, dueAt: nextAt });
  }

  /** The examination came to nothing. */
  async release(nextAt: Date): Promise<void> {
    await this.reports.update({ name: FACTS }, { dueAt: nextAt });
  }
}
