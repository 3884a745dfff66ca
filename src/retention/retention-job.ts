import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { uuidBefore } from '../common/ids.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { type Due, RetentionRepository } from '../database/retention/retention.repository.js';
import type { RetentionRule } from '../database/retention/retention.statements.js';
import { drainBatches } from '../database/drain-batches.js';
import { limitsAt } from './periods.js';

/** Maximum rows per query; purged merchant by merchant. */
const BATCH_MAX = 500;

/** Purges data after its retention period. */
@Injectable()
export class RetentionJob implements OnModuleInit {
  private readonly logger = new Logger('retention');

  constructor(
    private readonly database: Database,
    private readonly retention: RetentionRepository,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.register('retention', () => this.run());
  }

  async run(): Promise<void> {
    const { unpaid, payers, reports, sessions } = limitsAt(
      this.clock.now(),
      this.config.payerRetentionDays,
    );
    const idAt = (limit: Date): string => uuidBefore(limit.getTime());
    await drainBatches('expired data', async (limit) =>
      sum([
        await this.forget('unpaid', idAt(unpaid)),
        await this.forget('payers', idAt(payers)),
        await this.forget('reports', idAt(reports)),
        await this.forget('notes', idAt(payers)),
        await this.retention.purgeSessions(idAt(sessions), limit),
      ]),
    );
  }

  private async forget(rule: RetentionRule, before: string): Promise<number> {
    const due = await this.retention.due(rule, before, BATCH_MAX);
    const merchants = Map.groupBy(due, ({ merchantId }) => merchantId);
    const forgotten: number[] = [];
    for (const [merchantId, rows] of merchants) {
      forgotten.push(await this.forgetRows(rule, merchantId, rows));
    }
    return sum(forgotten);
  }

  /** Failed rows are found again later, and must not block other merchants. */
  private async forgetRows(
    rule: RetentionRule,
    merchantId: string,
    rows: readonly Due[],
  ): Promise<number> {
    const ids = rows.map(({ id }) => id);
    return this.database
      .transaction((tx) => this.retention.erase(tx, rule, merchantId, ids))
      .catch((error: unknown) => {
        this.logger.error(
          { event: 'retention.purge.failed', err: error, merchant: merchantId, rule },
          'data could not be purged and is retried',
        );
        return 0;
      });
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
