import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { bankDaysBefore } from '../common/bank-days.js';
import {
  BankWatchRepository,
  type MissingStatement,
} from '../database/bank/bank-watch.repository.js';
import { Database } from '../database/database.js';
import { JobQueue } from '../database/job-queue.js';
import { UserRepository } from '../database/people/user.repository.js';
import { UserNotices } from '../people/mails/user-notices.js';

/** Whole bank days of which no statement tells, until somebody is told. */
export const MISSING_DAYS = 2;
/** Accounts of which one run tells. */
const ACCOUNTS_MAX = 100;

/** Writes to operators when the statements of a live account stop coming: once, until they come again. */
@Injectable()
export class MissingStatements implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly watch: BankWatchRepository,
    private readonly users: UserRepository,
    private readonly notices: UserNotices,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.register('missing-statements', () => this.run());
  }

  async run(): Promise<void> {
    const today = this.clock.now().toISOString().slice(0, 10);
    const day = bankDaysBefore(today, MISSING_DAYS);
    for (const missing of await this.watch.missing(today, day, ACCOUNTS_MAX))
      await this.tell(missing);
  }

  private async tell(missing: MissingStatement): Promise<void> {
    const { account, currency, lastDay } = missing;
    const isTold = await this.database.transaction(async (tx) => {
      if (!(await this.watch.tell(tx, missing))) return false;
      const operators = await this.users.holdOperators(tx);
      const data = { account, currency, lastDay };
      await this.notices.notify(tx, operators, {
        kind: 'statements-missing',
        merchantId: null,
        data,
      });
      return true;
    });
    if (isTold) await this.notices.wake();
  }
}
