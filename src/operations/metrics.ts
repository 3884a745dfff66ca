import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { WatchedFolder } from '../bank/import/watched-folder.js';
import { DatabaseClient } from '../database/connection/client.js';
import { DatabaseCopy } from '../database/copy/copy.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { WorkerEligibility } from '../database/schema/worker-eligibility.js';
import { AttemptMetrics } from '../notifications/attempt-metrics.js';
import { CompiledPageCache } from '../payment-page/compiled-page-cache.js';
import { OrderWatch } from '../payment-page/order-watch.js';
import { PasswordWork } from '../people/passwords/password-work.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { Admission } from './admission.js';
import { BankMetrics } from './bank-metrics.js';
import { Connections } from './connections.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DoctorMetrics } from './doctor-metrics.js';
import { LogOutput } from './log-output.js';
import { routeOf } from './request-log.js';
import { UnhandledErrors } from './unhandled-errors.js';

/** Bucket limits in seconds: most answers take a few milliseconds, and 10 s indicate a fault. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Cache duration of database counts, for frequent scrapes. */
const COUNT_AGAIN_MS = 1_000;

/**
 * Prometheus metrics of this process. Labels never contain merchants, orders or payers; only failing endpoints and the
 * platform's accounts appear, by id.
 */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly logger = new Logger('metrics');
  private readonly registry = new Registry();
  private counting: Promise<void> = Promise.resolve();
  private countedAt = -Infinity;
  private readonly requests = new Histogram({
    name: 'payment_orders_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly jobsOverdue = new Gauge({
    name: 'payment_orders_jobs_overdue_seconds',
    help: 'Time since a background job was due, while no process has claimed it.',
    labelNames: ['job'],
    registers: [this.registry],
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly orderMetrics: OrderMetrics,
    private readonly attemptMetrics: AttemptMetrics,
    private readonly deliveryMetrics: DeliveryMetrics,
    private readonly doctorMetrics: DoctorMetrics,
    private readonly bankMetrics: BankMetrics,
    private readonly statements: WatchedFolder,
    private readonly pages: CompiledPageCache,
    private readonly watch: OrderWatch,
    private readonly passwords: PasswordWork,
    private readonly jobs: JobScheduler,
    private readonly database: Database,
    private readonly copy: DatabaseCopy,
    private readonly unhandledErrors: UnhandledErrors,
    private readonly connections: Connections,
    private readonly admission: Admission,
    private readonly eligibility: WorkerEligibility,
  ) {}

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
    this.registry.registerMetric(this.orderMetrics.orders);
    this.registry.registerMetric(this.orderMetrics.payments);
    this.registry.registerMetric(this.orderMetrics.discrepancies);
    this.registry.registerMetric(this.orderMetrics.unmatchedCallbacks);
    this.registry.registerMetric(this.attemptMetrics.attempts);
    this.registry.registerMetric(this.attemptMetrics.lookups);
    this.registry.registerMetric(this.unhandledErrors.total);
    const { deliveryMetrics, doctorMetrics, bankMetrics, passwords } = this;
    const ofTables = [deliveryMetrics, doctorMetrics, bankMetrics].flatMap(({ gauges }) => gauges);
    for (const gauge of [...ofTables, passwords.gauge, this.statements.readable])
      this.registry.registerMetric(gauge);
    this.addPages();
    this.addConnections();
    this.addDatabase();
    this.addFiles();
    this.counter(
      'payment_orders_log_lines_lost_total',
      'Lines of the log that standard output did not take.',
      () => LogOutput.lost,
    );
    this.addRequests(this.host.httpAdapter.getInstance<FastifyInstance>());
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    const now = performance.now();
    if (now - this.countedAt >= COUNT_AGAIN_MS) {
      this.countedAt = now;
      this.counting = this.countInDatabase();
    }
    // The doctor's report is a single row, so it needs no cache.
    await Promise.all([this.counting, this.doctorMetrics.read()]);
    return this.registry.metrics();
  }

  private async countInDatabase(): Promise<void> {
    await Promise.all([this.readJobs(), this.deliveryMetrics.read(), this.bankMetrics.read()]);
  }

  private addRequests(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      const status = `${Math.floor(reply.statusCode / 100)}xx`;
      const labels = { method: request.method, route: routeOf(request), status };
      this.requests.observe(labels, reply.elapsedTime / 1000);
      done();
    });
  }

  private addPages(): void {
    const { pages, watch } = this;
    this.counter(
      'payment_orders_payment_page_cache_hits_total',
      'Pages made from a compiled page.',
      () => pages.hits,
    );
    this.counter(
      'payment_orders_payment_page_cache_misses_total',
      'Pages compiled.',
      () => pages.misses,
    );
    this.gauge('payment_orders_payment_page_cache_pages', 'Compiled pages kept.', () => pages.size);
    this.gauge(
      'payment_orders_payment_page_cache_oldest_age_seconds',
      'Age of the oldest compiled page.',
      () => (pages.oldestCompiledAt === null ? 0 : (Date.now() - pages.oldestCompiledAt) / 1000),
    );
    this.gauge(
      'payment_orders_payment_page_streams',
      'Open payment pages that receive live updates.',
      () => watch.size,
    );
  }

  private addConnections(): void {
    const { connections } = this;
    this.gauge(
      'payment_orders_http_connections',
      'Open connections of clients.',
      () => connections.size,
    );
    this.counter(
      'payment_orders_http_connections_refused_total',
      'Connections for which there was no place.',
      () => connections.refused,
    );
    this.counter(
      'payment_orders_http_connections_terminated_total',
      'Connections that were ended because answers were not read.',
      () => connections.cutOff,
    );
    const { admission } = this;
    this.gauge(
      'payment_orders_http_requests_waiting',
      'Requests that have not begun because others came before them.',
      () => admission.waiting,
    );
    this.counter(
      'payment_orders_http_requests_refused_total',
      'Requests that waited too long to begin.',
      () => admission.refused,
    );
  }

  private addDatabase(): void {
    this.registry.registerMetric(this.database.callers);
    const state = () => this.database.poolState();
    this.gauge(
      'payment_orders_clock_offset_seconds',
      'How far the clock is ahead of that of the database.',
      () => this.eligibility.clockOffsetMs / 1_000,
    );
    this.gauge(
      'payment_orders_database_connections_used',
      'Connections at work.',
      () => state().used,
    );
    this.gauge(
      'payment_orders_database_connections_idle',
      'Connections without work.',
      () => state().idle,
    );
    this.gauge(
      'payment_orders_database_connections_waiting',
      'Work that waits for a connection.',
      () => state().waiting,
    );
    this.counter(
      'payment_orders_database_connections_refused_total',
      'Work that was sent away because too much waited, or it had waited for too long.',
      () => state().refused,
    );
    this.gauge(
      'payment_orders_database_sessions',
      'Connections of this process: the pool, downloads, exports and the doctor.',
      () => DatabaseClient.sessions,
    );
  }

  private addFiles(): void {
    const { copy } = this;
    this.gauge('payment_orders_downloads_open', 'Downloads that are being read.', () =>
      copy.count('download'),
    );
    this.gauge('payment_orders_exports_writing', 'Exports that are being written.', () =>
      copy.count('export'),
    );
    this.gauge('payment_orders_exports_reading', 'Finished exports that are being read.', () =>
      copy.count('stored'),
    );
  }

  /** Job counts are absent while the database is unavailable. */
  private async readJobs(): Promise<void> {
    const overdue = await this.jobs.overdue().catch((error: unknown) => {
      this.logger.warn({ event: 'metrics.jobs.failed', err: error }, 'jobs could not be counted');
      return [];
    });
    this.jobsOverdue.reset();
    for (const { name, seconds } of overdue) this.jobsOverdue.set({ job: name }, seconds);
  }

  private gauge(name: string, help: string, read: () => number): void {
    const collect = function (this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }

  /** A counter whose value is kept elsewhere. */
  private counter(name: string, help: string, read: () => number): void {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(read());
    };
    this.registry.registerMetric(new Counter({ name, help, registers: [], collect }));
  }
}
