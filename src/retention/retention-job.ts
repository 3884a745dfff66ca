import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { uuidBefore } from '../common/ids.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { RetentionRule } from '../database/entities/retention-mark.entity.js';
import { JobQueue } from '../database/job-queue.js';
import { type Due, RetentionRepository } from '../database/repositories/retention.repository.js';
import { limitsAt } from './periods.js';

/** Rows that one look finds at most; they are forgotten merchant by merchant. */
const BATCH_MAX = 500;
/** Looks of one rule in one run; the next run, a minute later, goes on. */
const BATCHES_MAX = 40;

/** Forgets what is older than its period. */
@Injectable()
export class RetentionJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly retention: RetentionRepository,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.register('retention', () => this.run());
  }

  async run(): Promise<void> {
    const limits = limitsAt(this.clock.now(), this.config.payerDays);
    await this.forget('unpaid', limits.unpaid);
    await this.forget('payers', limits.payers);
    await this.forget('reports', limits.reports);
    const before = uuidBefore(limits.sessions.getTime());
    await repeat(() => this.retention.purgeSessions(before, BATCH_MAX));
  }

  private forget(rule: RetentionRule, limit: Date): Promise<void> {
    const before = uuidBefore(limit.getTime());
    return repeat(async () => {
      const due = await this.retention.due(rule, before, BATCH_MAX);
      for (const [merchantId, rows] of Map.groupBy(due, (row) => row.merchantId)) {
        await this.forgetRows(rule, merchantId, rows);
      }
      return due.length;
    });
  }

  /** The rows are in the order of their ids, which is that of their making. */
  private forgetRows(rule: RetentionRule, merchantId: string, rows: readonly Due[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    return this.database.transaction(async (tx) => {
      if (rule === 'reports') await this.retention.eraseReports(tx, merchantId, ids);
      else {
        const unpaidOnly = rule === 'unpaid';
        await this.retention.eraseOrders(tx, merchantId, ids, { unpaidOnly });
      }
      await this.retention.mark(tx, merchantId, rule, ids.at(-1)!);
    });
  }
}

/** Until a batch was not full, or this run has done its share. */
async function repeat(batch: () => Promise<number>): Promise<void> {
  for (let batches = 0; batches < BATCHES_MAX; batches++) {
    if ((await batch()) < BATCH_MAX) return;
  }
}
