import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { isUuid } from '../common/ids.js';
import { Problem } from '../common/problem.js';
import { alone, type Along } from '../database/along.js';
import { Database } from '../database/database.js';
import type { PayoutSchedule } from '../database/entities/payout-schedule.entity.js';
import { BankAccountRepository } from '../database/repositories/bank-account.repository.js';
import type { Purse } from '../database/repositories/ledger.repository.js';
import type { Owner } from '../database/repositories/order.repository.js';
import { PayoutScheduleRepository } from '../database/repositories/payout-schedule.repository.js';
import { nextRun } from './next-run.js';

/** When all that is available in a currency is asked for, and where it goes. */
export type ScheduleWish = Pick<
  PayoutSchedule,
  'currency' | 'frequency' | 'day' | 'minimumAmount' | 'bankAccountId'
>;

/** Who makes a schedule, or changes it, and by which clocks it runs. */
export interface ScheduleAuthor {
  readonly userId: string;
  /** The merchant's. */
  readonly timeZone: string;
}

/** Payouts that nobody has to ask for: one schedule for each currency. */
@Injectable()
export class PayoutSchedulesService {
  constructor(
    private readonly database: Database,
    private readonly schedules: PayoutScheduleRepository,
    private readonly accounts: BankAccountRepository,
    private readonly clock: Clock,
  ) {}

  /** By currency. */
  list(owner: Owner): Promise<PayoutSchedule[]> {
    return this.schedules.list(owner);
  }

  /**
   * Replaces the currency's schedule, if there is one. The account need not be usable yet: until it
   * is, nothing is asked for.
   * @throws Problem `bank_account_not_found`
   */
  async save(
    { merchantId, mode }: Owner,
    wish: ScheduleWish,
    { userId, timeZone }: ScheduleAuthor,
    along: Along<PayoutSchedule> = alone,
  ): Promise<void> {
    const now = this.clock.now();
    const nextRunAt = nextRun(wish, now, timeZone);
    const changedBy = [userId];
    const schedule = { ...wish, merchantId, mode, changedBy, nextRunAt, updatedAt: now };
    await this.database.transaction(async (tx) => {
      const id = wish.bankAccountId;
      const account = isUuid(id) ? await this.accounts.hold(tx, { merchantId, mode }, id) : null;
      if (!account || account.retiredAt) throw new Problem('bank_account_not_found');
      await this.schedules.save(tx, schedule);
      await along(tx, schedule);
    });
  }

  /** @returns false when there is none */
  remove(purse: Purse, along: Along<Purse> = alone): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (!(await this.schedules.remove(tx, purse))) return false;
      await along(tx, purse);
      return true;
    });
  }
}
