import { Injectable, Logger } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Clock } from '../common/time/clock.js';
import { DoctorReportRepository } from '../database/doctor/doctor-report.repository.js';

/** Result of the last consistency checks, the same from every process. */
@Injectable()
export class DoctorMetrics {
  private readonly logger = new Logger('metrics');
  private readonly facts = new Gauge({
    name: 'payment_orders_doctor_checks',
    help: 'Consistency checks of the last run.',
    registers: [],
  });
  private readonly violations = new Gauge({
    name: 'payment_orders_doctor_violations',
    help: 'Rows that fail a consistency check; only failed checks are listed.',
    labelNames: ['check'],
    registers: [],
  });
  private readonly broken = new Gauge({
    name: 'payment_orders_doctor_checks_failed',
    help: 'Consistency checks that failed.',
    registers: [],
  });
  private readonly age = new Gauge({
    name: 'payment_orders_doctor_last_run_age_seconds',
    help: 'Age of the last run.',
    registers: [],
  });

  readonly gauges = [this.facts, this.broken, this.violations, this.age];

  constructor(
    private readonly reports: DoctorReportRepository,
    private readonly clock: Clock,
  ) {}

  /** Absent while the database is unavailable, and before the first run. */
  async read(): Promise<void> {
    this.violations.reset();
    for (const gauge of [this.facts, this.broken, this.age]) gauge.remove();
    const last = await this.reports.last().catch((error: unknown) => {
      this.logger.warn(
        { event: 'metrics.consistency_check.failed', err: error },
        'the last consistency check could not be read',
      );
      return null;
    });
    if (!last) return;
    this.facts.set(last.facts);
    this.broken.set(last.broken.length);
    for (const { name, violations } of last.broken)
      this.violations.set({ check: name }, violations);
    this.age.set((this.clock.now().getTime() - Date.parse(last.finishedAt)) / 1000);
  }
}
