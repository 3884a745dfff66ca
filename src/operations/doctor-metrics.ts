import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../common/clock.js';
import { DoctorReportRepository } from '../database/doctor/doctor-report.repository.js';

/** What the last examination of the facts found, the same from every process. */
@Injectable()
export class DoctorMetrics {
  private readonly logger = new Logger('metrics');
  private readonly facts = new Gauge({
    name: 'doctor_facts',
    help: 'Facts that were examined last.',
    registers: [],
  });
  private readonly violations = new Gauge({
    name: 'doctor_violations',
    help: 'Rows of which a fact does not hold; only facts that are broken are named.',
    labelNames: ['fact'],
    registers: [],
  });
  private readonly broken = new Gauge({
    name: 'doctor_facts_broken',
    help: 'Facts that do not hold.',
    registers: [],
  });
  private readonly age = new Gauge({
    name: 'doctor_last_run_seconds',
    help: 'How long ago the facts were examined.',
    registers: [],
  });

  readonly gauges = [this.facts, this.broken, this.violations, this.age];

  constructor(
    private readonly reports: DoctorReportRepository,
    private readonly clock: Clock,
  ) {}

  /** While the database is away, and before the first examination, the numbers are missing. */
  async read(): Promise<void> {
    this.violations.reset();
    for (const gauge of [this.facts, this.broken, this.age]) gauge.remove();
    const last = await this.reports.last().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the last examination is not known');
      return null;
    });
    if (!last) return;
    this.facts.set(last.facts);
    this.broken.set(last.broken.length);
    for (const { name, violations } of last.broken) this.violations.set({ fact: name }, violations);
    this.age.set((this.clock.now().getTime() - Date.parse(last.finishedAt)) / 1000);
  }
}
