import { Injectable } from '@nestjs/common';
import {
  BankBalanceRepository,
  type BalanceFilter,
} from '../database/bank/bank-balance.repository.js';
import { type DailyBalance, dailyBalances } from './daily-balances.js';

/** Where the money of the platform's accounts came from and went, day by day. */
@Injectable()
export class BankBalanceService {
  constructor(private readonly balances: BankBalanceRepository) {}

  /** By account, currency and day; only days on which something was booked, or of whose end a statement tells. */
  async days(filter: BalanceFilter): Promise<DailyBalance[]> {
    const { from } = filter;
    const days = dailyBalances(await this.balances.dayTotals(filter));
    return from === null ? days : days.filter(({ day }) => day >= from);
  }
}
