import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { uuidOf } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { BalanceKey, Owner } from '../database/keys.js';
import { BankAccountRepository } from '../database/payouts/bank-accounts/bank-account.repository.js';
import type { PayoutSchedule } from '../database/payouts/payout-schedule.entity.js';
import { PayoutScheduleRepository } from '../database/payouts/payout-schedule.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { nextRun } from './next-run.js';

/** When the whole available balance of a currency is paid out, and to which account. */
export type ScheduleWish = Pick<
  PayoutSchedule,
  'currency' | 'frequency' | 'day' | 'minimumAmount' | 'bankAccountId'
>;

/** Author of a schedule or of a change, and its time zone. */
export interface ScheduleAuthor {
  readonly userId: string;
  /** The merchant's. */
  readonly timeZone: string;
}

/** Scheduled payouts: one schedule per currency. */
@Injectable()
export class PayoutSchedulesService {
  constructor(
    private readonly database: Database,
    private readonly schedules: PayoutScheduleRepository,
    private readonly accounts: BankAccountRepository,
    private readonly clock: Clock,
  ) {}

  /** Sorted by currency. */
  list(owner: Owner): Promise<PayoutSchedule[]> {
    return this.schedules.list(owner);
  }

  /**
   * Creates or replaces the schedule of a currency. The account may not be usable yet: until then no payout is
   * requested.
   * @throws Problem `bank_account_not_found`
   */
  async save(
    { merchantId, mode }: Owner,
    wish: ScheduleWish,
    { userId, timeZone }: ScheduleAuthor,
    hook: TransactionHook<PayoutSchedule> = noHook,
  ): Promise<void> {
    const now = this.clock.now();
    const nextRunAt = nextRun(wish, now, timeZone);
    const changedBy = [userId];
    const schedule = { ...wish, merchantId, mode, changedBy, nextRunAt, updatedAt: now };
    await this.database.transaction(async (tx) => {
      const id = uuidOf(wish.bankAccountId);
      const account = id && (await this.accounts.hold(tx, { merchantId, mode }, id));
      if (!account || account.retiredAt) throw new Problem('bank_account_not_found');
      await this.schedules.save(tx, schedule);
      await hook(tx, schedule);
    });
  }

  /** @returns false if there is none */
  remove(balance: BalanceKey, hook: TransactionHook<BalanceKey> = noHook): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (!(await this.schedules.remove(tx, balance))) return false;
      await hook(tx, balance);
      return true;
    });
  }
}
