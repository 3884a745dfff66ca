import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { bankDaysBefore } from '../../common/time/bank-days.js';
import {
  BankWatchRepository,
  type MissingStatement,
} from '../../database/bank/files/bank-watch.repository.js';
import { Database } from '../../database/database.js';
import { JobScheduler } from '../../database/jobs/job-scheduler.js';
import { UserRepository } from '../../database/people/user.repository.js';
import { UserNotices } from '../../people/mails/user-notices.js';

/** Full bank days without a statement before operators are notified. */
export const MISSING_DAYS = 2;
/** Maximum accounts per run. */
const ACCOUNTS_MAX = 100;

/**
 * Notifies operators once when the statements of a live account stop coming, and again only after they have resumed.
 */
@Injectable()
export class MissingStatements implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly watch: BankWatchRepository,
    private readonly users: UserRepository,
    private readonly notices: UserNotices,
    private readonly jobs: JobScheduler,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('missing-statements', () => this.run());
  }

  async run(): Promise<void> {
    const today = this.clock.now().toISOString().slice(0, 10);
    const day = bankDaysBefore(today, MISSING_DAYS);
    for (const missing of await this.watch.missing(today, day, ACCOUNTS_MAX))
      await this.notify(missing);
  }

  private async notify(missing: MissingStatement): Promise<void> {
    const { account, currency, lastDay } = missing;
    const isNew = await this.database.transaction(async (tx) => {
      if (!(await this.watch.markNotified(tx, missing))) return false;
      const operators = await this.users.holdOperators(tx);
      const data = { account, currency, lastDay };
      await this.notices.notify(tx, operators, {
        kind: 'statements-missing',
        merchantId: null,
        data,
      });
      return true;
    });
    if (isNew) await this.notices.wake();
  }
}
