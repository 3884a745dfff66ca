import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { DAY_TOTALS } from './bank-balance.statements.js';

/** Bookings of an account on one day, and the balances in its statements. Minor units. */
export interface BankDayTotals {
  readonly account: string;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Incoming money that paid for orders. */
  readonly matched: number;
  /** Money returned to payers (negative) and payouts that came back (positive). */
  readonly returned: number;
  /** Payouts (negative). */
  readonly paidOut: number;
  /** Unallocated funds. */
  readonly unmatched: number;
  readonly other: number;
  /** Opening balances of statements that start on this day. */
  readonly openings: readonly number[];
  /** Closing balances of statements that end on this day. */
  readonly closings: readonly number[];
}

export interface BalanceFilter {
  readonly mode: Mode;
  readonly account: string | null;
  /** First and last day, `YYYY-MM-DD`; null = unbounded. */
  readonly from: string | null;
  readonly until: string | null;
}

/** Daily totals and balances of the platform's bank accounts. */
@Injectable()
export class BankBalanceRepository {
  constructor(private readonly database: Database) {}

  /**
   * Ordered by account, currency and day. Starts at the last day before `from` with a closing balance, so that the
   * caller can carry that balance forward.
   */
  dayTotals({ mode, account, from, until }: BalanceFilter): Promise<BankDayTotals[]> {
    return this.database.query<BankDayTotals>(DAY_TOTALS, [mode, account, from, until]);
  }
}
