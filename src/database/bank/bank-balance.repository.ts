import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { DAY_TOTALS } from './bank-balance.statements.js';

/** What the bank booked on an account on one day, and the balances that its statements told. Minor units. */
export interface BankDayTotals {
  readonly account: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** What came in and paid for orders. */
  readonly matched: number;
  /** What went back to payers, below 0, and payouts that came back. */
  readonly returned: number;
  /** Payouts, below 0. */
  readonly paidOut: number;
  /** What waits for a person. */
  readonly unmatched: number;
  readonly other: number;
  /** Of statements that begin with the day. */
  readonly openings: readonly number[];
  /** Of statements that end with the day. */
  readonly closings: readonly number[];
}

export interface BalanceFilter {
  readonly mode: Mode;
  readonly account: string | null;
  /** First and last day, `YYYY-MM-DD`; null = all that there are. */
  readonly from: string | null;
  readonly until: string | null;
}

/** What lines and statements say of the accounts of the platform, day by day. */
@Injectable()
export class BankBalanceRepository {
  constructor(private readonly database: Database) {}

  /**
   * By account, currency and day. It begins with the last day before the first one wanted of which a statement
   * tells the balance, so that this can be carried on.
   */
  dayTotals({ mode, account, from, until }: BalanceFilter): Promise<BankDayTotals[]> {
    return this.database.query<BankDayTotals>(DAY_TOTALS, [mode, account, from, until]);
  }
}
