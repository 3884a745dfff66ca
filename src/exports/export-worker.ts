import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Config } from '../config/config.js';
import { ExportRepository, type ExportRow } from '../database/exports/export.repository.js';
import { JobQueue } from '../database/job-queue.js';
import { Fitness } from '../database/schema/fitness.js';
import { workOff } from '../database/work-off.js';
import { DeliveryLoop } from '../notifications/delivery-loop.js';
import { KEPT_MS } from './export-limits.js';
import { ExportNotice } from './export-notice.js';
import { ExportLostError, ExportRun, EXPORT_LEASE_MS } from './export-run.js';
import { ExportStreamService } from './export-stream.service.js';
import type { Manifest } from './manifest.js';

const UPKEEP_JOB = 'exports';
/** Exports that one process writes side by side. */
const SLOTS = 2;
/** Exports of one merchant that all processes together write at a time: the other place is for others. */
export const RUNNING_MAX = 1;
/** After so many attempts in vain the next would be no better. */
export const EXPORT_ATTEMPTS_MAX = 10;
/** Rows of one kind that one run of the upkeep handles at most. */
const BATCH_MAX = 20;

/** Writes exports, one attempt each, until they are ready. */
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
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly fitness: Fitness,
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
    if (this.config.jobs !== 'off') this.loop.start(this.fitness);
  }

  /** What is half done is given back: another process begins it anew. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const run of this.running) run.stop();
    await this.loop.stop();
  }

  /** There is something to do. */
  wake(): void {
    this.loop.wake();
  }

  /** Writes until nothing waits. */
  drain(): Promise<void> {
    return this.loop.drain();
  }

  /** Tells of what is ready, and forgets what is old. */
  async upkeep(): Promise<void> {
    for (const row of await this.exports.unnotified(BATCH_MAX)) await this.notify(row);
    await workOff('exports', () => this.exports.purge(this.clock.now(), BATCH_MAX));
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

  /** Ready with a manifest, and failed for good without one. */
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
    this.logger.log({ export: row.id, rows, ready: manifest !== null }, 'export ended');
    if (manifest) await this.notify({ ...row, rowsDone: rows, expiresAt });
  }

  /** Other errors may pass: the lease runs out, and somebody tries again. */
  private async giveUp(row: ExportRow, run: ExportRun, error: unknown): Promise<void> {
    const { id: name, attempts } = row;
    if (error instanceof ExportLostError) {
      this.logger.log({ export: name, attempts }, 'export cancelled or taken over');
    } else if (run.isStopped) {
      await this.exports.release(row);
    } else {
      this.logger.error({ err: error, export: name, attempts }, 'export is tried again');
    }
  }

  private async notify(row: ExportRow): Promise<void> {
    try {
      await this.notice.send(row);
      await this.exports.notified(row.id, this.clock.now());
    } catch (error) {
      this.logger.warn({ err: error, export: row.id }, 'told again later');
    }
  }
}
