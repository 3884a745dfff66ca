import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { OrderException } from '../orders/order.entity.js';
import type { Owner } from '../keys.js';

/** Totals of the orders created on one day, by currency. */
export interface DayTotals {
  readonly currency: string;
  /** Index of the day in the requested period, from 0. */
  readonly day: number;
  readonly created: number;
  /** Orders with at least one payment attempt. */
  readonly started: number;
  readonly paid: number;
  readonly expired: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Amount received for the paid ones, in minor units. */
  readonly volume: bigint;
}

export interface ExceptionCount {
  readonly exception: Exclude<OrderException, 'none'>;
  readonly count: number;
}

const of = (status: string): string =>
  `count(*) FILTER (WHERE status = '${status}')::integer AS ${status}`;

/**
 * Totals by currency between two times. Each day is a separate index search: for all days at once the planner would
 * scan the orders of all merchants. `amount > 0` matches the partial index of the list.
 */
const dayTotals = (day: number): string => `
  SELECT ${day} AS day, currency, count(*)::integer AS created,
    count(*) FILTER (WHERE attempts > 0)::integer AS started,
    ${['paid', 'expired', 'failed', 'cancelled'].map(of).join(', ')},
    coalesce(sum(amount_received) FILTER (WHERE status = 'paid'), 0)::text AS volume
  FROM orders
  WHERE merchant_id = $1 AND mode = $2 AND amount > 0
    AND created_at >= $${day + 3} AND created_at < $${day + 4}
  GROUP BY currency`;

/** Excludes exceptions that were accepted or refunded: for a paid order the surplus, for others everything. */
const EXCEPTIONS = {
  name: '',
  text: `SELECT exception, count(*)::integer AS count FROM orders
    WHERE merchant_id = $1 AND mode = $2 AND exception <> 'none'
      AND NOT (status = 'paid' AND exception IN ('paid_late', 'underpaid'))
      AND NOT (amount_refunded > 0 AND exception <> 'wrong_currency'
        AND amount_refunded >= CASE WHEN status = 'paid' THEN amount_received - amount
          ELSE amount_received END)
      AND created_at >= $3 AND created_at < $4
    GROUP BY exception ORDER BY count DESC, exception`,
};

/** Queries for a merchant's home page. */
@Injectable()
export class HomeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Orders by outcome, day and currency.
   * @param moments start of each day, and end of the last one, in the merchant's time zone
   */
  async dayTotals({ merchantId, mode }: Owner, moments: readonly Date[]): Promise<DayTotals[]> {
    const text = moments
      .slice(1)
      .map((_, day) => dayTotals(day))
      .join(' UNION ALL ');
    type Row = Omit<DayTotals, 'volume'> & { readonly volume: string };
    // Unnamed, so that it is planned for these times.
    const rows = await this.slowQuery<Row>({ name: '', text }, [merchantId, mode, ...moments]);
    return rows.map((row) => ({ ...row, volume: BigInt(row.volume) }));
  }

  /** Orders with exceptions created in the period, most frequent first. */
  exceptions({ merchantId, mode }: Owner, from: Date, until: Date): Promise<ExceptionCount[]> {
    return this.slowQuery(EXCEPTIONS, [merchantId, mode, from, until]);
  }

  private slowQuery<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return this.database.slowWork.pass('read', () => this.database.query<Row>(statement, values));
  }
}
