import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import type { DoctorFindings } from '../database/doctor/doctor-report.entity.js';
import { DoctorReportRepository } from '../database/doctor/doctor-report.repository.js';
import { brokenIn, Doctor, type Examination } from '../database/doctor/doctor.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';

/** Milliseconds from the end of a run to the start of the next. */
export const EVERY_MS = 5 * 60_000;
/** Minimum pause as a multiple of the last run, for large databases. */
const RESTS = 10;
/** A run without an end after this long counts as dead. */
const LEASE_MS = 60 * 60_000;
/** After a longer outage, work is overdue; reports wait for the next run. */
const AWAY_MS = 3 * EVERY_MS;

/** Runs the consistency checks periodically, in one process at a time, and reports violations. */
@Injectable()
export class DoctorJob implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('doctor');
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly doctor: Doctor,
    private readonly reports: DoctorReportRepository,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('doctor', () => this.run());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  /** Runs the checks if due; never fails. */
  run(): Promise<void> {
    this.running ??= this.examine()
      .catch((error: unknown) =>
        this.logger.error(
          { event: 'consistency_check.failed', err: error },
          'the consistency check could not run',
        ),
      )
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async examine(): Promise<void> {
    const now = this.clock.now();
    const last = await this.reports.claim(now, new Date(now.getTime() + LEASE_MS));
    if (last === undefined) return;
    try {
      const { signal } = this.stopped;
      const overdue = last !== null && now.getTime() - Date.parse(last.finishedAt) < AWAY_MS;
      await this.keep(await this.doctor.examine({ overdue, signal }));
    } catch (error) {
      await this.reports.release(new Date(this.clock.now().getTime() + EVERY_MS));
      if (!this.stopped.signal.aborted) throw error;
    }
  }

  private async keep(examination: Examination): Promise<void> {
    const finished = this.clock.now();
    const rest = Math.max(EVERY_MS, RESTS * examination.seconds * 1_000);
    const findings = findingsOf(examination, finished);
    await this.reports.keep(findings, new Date(finished.getTime() + rest));
    const { facts, broken, seconds } = findings;
    this.logger.log(
      { event: 'consistency_check.finished', facts, broken: broken.length, seconds },
      'consistency check finished',
    );
    for (const { fact, total, violations } of brokenIn(examination)) {
      const [first] = violations;
      const line = { fact: fact.name, violations: total, merchant: first?.merchantId };
      const event = 'consistency_check.violated';
      this.logger.error({ event, ...line, first: first?.subject }, fact.description);
    }
  }
}

const findingsOf = (examination: Examination, finished: Date): DoctorFindings => ({
  finishedAt: finished.toISOString(),
  seconds: Math.round(examination.seconds * 10) / 10,
  facts: examination.findings.length,
  broken: brokenIn(examination).map(({ fact: { name, description }, total }) => ({
    name,
    description,
    violations: total,
  })),
});
