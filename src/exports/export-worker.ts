import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Config } from '../config/config.js';
import { ExportRepository, type ExportRow } from '../database/exports/export.repository.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { WorkerEligibility } from '../database/schema/worker-eligibility.js';
import { drainBatches } from '../database/drain-batches.js';
import { DeliveryLoop } from '../notifications/delivery-loop.js';
import { KEPT_MS } from './export-limits.js';
import { ExportNotice } from './export-notice.js';
import { ExportLostError, ExportRun, EXPORT_LEASE_MS } from './export-run.js';
import { ExportStreamService } from './export-stream.service.js';
import type { Manifest } from './manifest.js';

const UPKEEP_JOB = 'exports';
/** Concurrent exports per process. */
const SLOTS = 2;
/** Concurrent exports per merchant over all processes, so that one merchant cannot use all slots. */
export const RUNNING_MAX = 1;
/** Maximum failed attempts. */
export const EXPORT_ATTEMPTS_MAX = 10;
/** Maximum rows of one kind per maintenance run. */
const BATCH_MAX = 20;

/** Runs exports, one attempt at a time, until they are ready. */
@Injectable()
export class ExportWorker
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly logger = new Logger('exports');
  private readonly running = new Set<ExportRun>();
  private readonly loop: DeliveryLoop<ExportRow>;

  constructor(
    private readonly exports: ExportRepository,
    private readonly streams: ExportStreamService,
    private readonly notice: ExportNotice,
    private readonly jobs: JobScheduler,
    private readonly config: Config,
    private readonly eligibility: WorkerEligibility,
    private readonly clock: Clock,
  ) {
    this.loop = new DeliveryLoop({
      slots: SLOTS,
      claim: () => this.claim(),
      deliver: (row) => this.run(row),
    });
  }

  onModuleInit(): void {
    this.jobs.register(UPKEEP_JOB, () => this.upkeep());
  }

  onApplicationBootstrap(): void {
    if (this.config.role === 'api') return;
    this.jobs.onDue('exports', () => this.loop.wake());
    this.loop.start(this.eligibility);
  }

  /** Returns unfinished exports, which another process restarts. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const run of this.running) run.stop();
    await this.loop.stop();
  }

  /** Wakes the worker. */
  wake(): void {
    this.loop.wake();
  }

  /** Runs until no export is waiting. */
  drain(): Promise<void> {
    return this.loop.drain();
  }

  /** Sends notices for ready exports, and purges old ones. */
  async upkeep(): Promise<void> {
    for (const row of await this.exports.unnotified(BATCH_MAX)) await this.notify(row);
    await drainBatches('exports', () => this.exports.purge(this.clock.now(), BATCH_MAX));
  }

  private async claim(): Promise<ExportRow[]> {
    const now = this.clock.now();
    const row = await this.exports.claim(
      now,
      new Date(now.getTime() + EXPORT_LEASE_MS),
      RUNNING_MAX,
    );
    return row ? [row] : [];
  }

  private async run(row: ExportRow): Promise<void> {
    if (row.attempts > EXPORT_ATTEMPTS_MAX) return this.finish(row, 0, null);
    const run = new ExportRun(row, this.exports, this.streams, this.clock);
    this.running.add(run);
    try {
      const manifest = await run.write();
      await this.finish(row, manifest.rows, manifest);
    } catch (error) {
      await this.giveUp(row, run, error);
    } finally {
      this.running.delete(run);
    }
  }

  /** Ready with a manifest, failed without one. */
  private async finish(row: ExportRow, rows: number, manifest: Manifest | null): Promise<void> {
    const finishedAt = this.clock.now();
    const expiresAt = new Date(finishedAt.getTime() + KEPT_MS);
    const isHeld = await this.exports.finish(row, {
      rowsDone: rows,
      rowsTotal: manifest ? rows : row.rowsTotal,
      manifest: manifest ? { ...manifest } : null,
      finishedAt,
      expiresAt,
    });
    if (!isHeld) return;
    this.logger.log(
      { event: 'export.finished', export: row.id, rows, ready: manifest !== null },
      'export finished',
    );
    if (manifest) await this.notify({ ...row, rowsDone: rows, expiresAt });
  }

  /** Other errors may be temporary: the export is retried after its lease. */
  private async giveUp(row: ExportRow, run: ExportRun, error: unknown): Promise<void> {
    const { id: name, attempts } = row;
    if (error instanceof ExportLostError) {
      this.logger.log(
        { event: 'export.cancelled', export: name, attempts },
        'export cancelled or taken over',
      );
    } else if (run.isStopped) {
      await this.exports.release(row);
    } else {
      this.logger.error(
        { event: 'export.failed', err: error, export: name, attempts },
        'export failed and is retried',
      );
    }
  }

  private async notify(row: ExportRow): Promise<void> {
    try {
      await this.notice.send(row);
      await this.exports.notified(row.id, this.clock.now());
    } catch (error) {
      this.logger.warn(
        { event: 'export.notice.failed', err: error, export: row.id },
        'notice of an export failed and is retried',
      );
    }
  }
}
