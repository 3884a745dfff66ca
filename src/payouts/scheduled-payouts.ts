import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import { JobScheduler } from '../database/jobs/job-scheduler.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { PayoutSchedule } from '../database/payouts/payout-schedule.entity.js';
import { PayoutScheduleRepository } from '../database/payouts/payout-schedule.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { Problem } from '../http/problems/problem.js';
import { nextRun } from './next-run.js';
import { PayoutsService } from './payouts.service.js';

/** Maximum schedules per run; the others follow a minute later. */
const DUE_MAX = 1_000;

/** Errors that skip one run of a schedule; the next one may succeed. */
const SKIPS: ReadonlySet<string> = new Set([
  'insufficient_balance',
  'bank_account_not_usable',
  'payout_too_large',
]);

/** Requests scheduled payouts. */
@Injectable()
export class ScheduledPayouts implements OnModuleInit {
  private readonly logger = new Logger('payouts');

  constructor(
    private readonly database: Database,
    private readonly schedules: PayoutScheduleRepository,
    private readonly merchants: MerchantRepository,
    private readonly payouts: PayoutsService,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('payout-schedules', () => this.run());
  }

  /** Any number of processes can run it; each schedule runs once. */
  async run(): Promise<void> {
    const due = await this.schedules.due(this.clock.now(), DUE_MAX);
    for (const schedule of due) await this.ask(schedule);
  }

  /** A failed schedule stays due for the next run and does not block others. */
  private async ask(schedule: PayoutSchedule): Promise<void> {
    const { merchantId, currency } = schedule;
    try {
      const merchant = await this.merchants.find(merchantId);
      const next = nextRun(schedule, this.clock.now(), merchant!.timeZone);
      const outcome = await this.database.transaction((tx) => this.askOnce(tx, schedule, next));
      if (outcome)
        this.logger.log(
          { event: 'payout.schedule.run', merchant: merchantId, currency, ...outcome },
          'scheduled payout processed',
        );
    } catch (error) {
      this.logger.error(
        { event: 'payout.schedule.failed', err: error, merchant: merchantId, currency },
        'scheduled payout could not be requested and is retried',
      );
    }
  }

  /** Null if another process has run or changed the schedule. */
  private async askOnce(
    tx: EntityManager,
    schedule: PayoutSchedule,
    next: Date,
  ): Promise<{ payout: string } | { skipped: string } | null> {
    if (!(await this.schedules.advance(tx, schedule, next))) return null;
    const { bankAccountId, minimumAmount: amount, changedBy } = schedule;
    return this.payouts
      .requestAll(tx, schedule, { amount, bankAccountId }, changedBy)
      .then(({ id }: Payout) => ({ payout: id }), reasonOf);
  }
}

function reasonOf(error: unknown): { skipped: string } {
  if (error instanceof Problem && SKIPS.has(error.code)) return { skipped: error.code };
  throw error;
}
