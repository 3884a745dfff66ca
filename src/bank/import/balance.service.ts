import { Injectable } from '@nestjs/common';
import {
  BankBalanceRepository,
  type BalanceFilter,
} from '../../database/bank/files/bank-balance.repository.js';
import { type DailyBalance, dailyBalances } from './daily-balances.js';

/** Daily balances and movements of the platform's bank accounts. */
@Injectable()
export class BankBalanceService {
  constructor(private readonly balances: BankBalanceRepository) {}

  /** By account, currency and day; only days with a booking or with a closing balance of a statement. */
  async days(filter: BalanceFilter): Promise<DailyBalance[]> {
    const { from } = filter;
    const days = dailyBalances(await this.balances.dayTotals(filter));
    return from === null ? days : days.filter(({ day }) => day >= from);
  }
}
