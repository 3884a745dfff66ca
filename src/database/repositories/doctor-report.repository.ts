import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { DoctorFindings } from '../entities/doctor-report.entity.js';

const CLAIM: Statement = {
  name: 'doctor_claim',
  text: `INSERT INTO doctor_reports AS r (name, due_at) VALUES ('facts', $2)
    ON CONFLICT (name) DO UPDATE SET due_at = $2 WHERE r.due_at <= $1
    RETURNING findings`,
};

const LAST: Statement = {
  name: 'doctor_last',
  text: `SELECT findings FROM doctor_reports WHERE name = 'facts'`,
};

const KEEP: Statement = {
  name: 'doctor_keep',
  text: `UPDATE doctor_reports SET findings = $1, due_at = $2 WHERE name = 'facts'`,
};

const RELEASE: Statement = {
  name: 'doctor_release',
  text: `UPDATE doctor_reports SET due_at = $1 WHERE name = 'facts'`,
};

type Row = { readonly findings: DoctorFindings | null };

/** What the last examination found. */
@Injectable()
export class DoctorReportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the next examination, if it is due; nobody else does before `until`.
   * @returns what the last one found; undefined when none is due
   */
  async claim(now: Date, until: Date): Promise<DoctorFindings | null | undefined> {
    return (await this.database.query<Row>(CLAIM, [now, until]))[0]?.findings;
  }

  /** Null before the first. */
  async last(): Promise<DoctorFindings | null> {
    return (await this.database.query<Row>(LAST, []))[0]?.findings ?? null;
  }

  async keep(findings: DoctorFindings, nextAt: Date): Promise<void> {
    await this.database.query(KEEP, [JSON.stringify(findings), nextAt]);
  }

  /** The examination came to nothing. */
  async release(nextAt: Date): Promise<void> {
    await this.database.query(RELEASE, [nextAt]);
  }
}
