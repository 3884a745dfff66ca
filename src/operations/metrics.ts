import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { JobQueue } from '../database/job-queue.js';
import { DeliveryTally } from '../notifications/delivery-tally.js';
import { CompiledPageCache } from '../payment-page/compiled-page-cache.js';
import { OrderWatch } from '../payment-page/order-watch.js';
import { Tally } from '../status/tally.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DoctorMetrics } from './doctor-metrics.js';
import { routeOf } from './request-log.js';

/** Upper bounds in seconds: most answers take a few milliseconds, and 10 s are a fault. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What this process tells Prometheus. No label names a merchant, an order or a payer; only endpoints that fail are named, by id. */
@Injectable()
export class Metrics implements OnModuleInit {
  private readonly logger = new Logger('metrics');
  private readonly registry = new Registry();
  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });
  private readonly jobsWaiting = new Gauge({
    name: 'jobs_waiting',
    help: 'Jobs whose time has come and that nobody has taken.',
    labelNames: ['queue'],
    registers: [this.registry],
  });
  private readonly jobsOldest = new Gauge({
    name: 'jobs_oldest_seconds',
    help: 'How long the oldest of them has waited.',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly tally: Tally,
    private readonly deliveryTally: DeliveryTally,
    private readonly deliveryMetrics: DeliveryMetrics,
    private readonly doctorMetrics: DoctorMetrics,
    private readonly pages: CompiledPageCache,
    private readonly watch: OrderWatch,
    private readonly jobs: JobQueue,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    collectDefaultMetrics({ register: this.registry });
    this.registry.registerMetric(this.tally.orders);
    this.registry.registerMetric(this.tally.payments);
    this.registry.registerMetric(this.deliveryTally.attempts);
    const { deliveryMetrics, doctorMetrics } = this;
    for (const gauge of [...deliveryMetrics.gauges, ...doctorMetrics.gauges]) {
      this.registry.registerMetric(gauge);
    }
    this.addPages();
    this.addDatabase();
    this.addRequests(this.host.httpAdapter.getInstance<FastifyInstance>());
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  async text(): Promise<string> {
    await Promise.all([this.readJobs(), this.deliveryMetrics.read(), this.doctorMetrics.read()]);
    return this.registry.metrics();
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
      'payment_page_cache_hits_total',
      'Pages made from a compiled page.',
      () => pages.hits,
    );
    this.counter('payment_page_cache_misses_total', 'Pages compiled.', () => pages.misses);
    this.gauge('payment_page_cache_pages', 'Compiled pages kept.', () => pages.size);
    this.gauge('payment_page_cache_oldest_seconds', 'Age of the oldest compiled page.', () =>
      pages.oldestCompiledAt === null ? 0 : (Date.now() - pages.oldestCompiledAt) / 1000,
    );
    this.gauge(
      'payment_page_streams',
      'Open payment pages that are told of changes.',
      () => watch.size,
    );
  }

  private addDatabase(): void {
    const state = () => this.database.poolState();
    this.gauge('database_connections_used', 'Connections at work.', () => state().used);
    this.gauge('database_connections_idle', 'Connections without work.', () => state().idle);
    this.gauge(
      'database_connections_waiting',
      'Requests for a connection that wait.',
      () => state().waiting,
    );
  }

  /** While the database is away, the numbers of jobs are missing. */
  private async readJobs(): Promise<void> {
    const backlog = await this.jobs.backlog().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'jobs not counted');
      return [];
    });
    this.jobsWaiting.reset();
    this.jobsOldest.reset();
    for (const { name, depth, oldestSeconds } of backlog) {
      this.jobsWaiting.set({ queue: name }, depth);
      this.jobsOldest.set({ queue: name }, oldestSeconds);
    }
  }

  private gauge(name: string, help: string, read: () => number): void {
    const collect = function (this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }

  /** The count is kept elsewhere and only grows. */
  private counter(name: string, help: string, read: () => number): void {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(read());
    };
    this.registry.registerMetric(new Counter({ name, help, registers: [], collect }));
  }
}
