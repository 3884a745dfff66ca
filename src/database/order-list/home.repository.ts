import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { OrderException } from '../orders/order.entity.js';
import type { Owner } from '../keys.js';

/** The orders of one currency that were created on one day. */
export interface DayTotals {
  readonly currency: string;
  /** The place of the day among those asked for, from 0. */
  readonly day: number;
  readonly created: number;
  /** Orders for which a payment was started. */
  readonly started: number;
  readonly paid: number;
  readonly expired: number;
  readonly failed: number;
  readonly cancelled: number;
  /** What arrived for the paid ones, in minor units. */
  readonly volume: bigint;
}

export interface ExceptionCount {
  readonly exception: Exclude<OrderException, 'none'>;
  readonly count: number;
}

const of = (status: string): string =>
  `count(*) FILTER (WHERE status = '${status}')::integer AS ${status}`;

/**
 * The orders between two moments, by currency. Each day is a search of its own along the index: of
 * all days at once, the planner would rather read the orders of all merchants. The index is that of
 * the list, which asks every query of it to say that amounts are above 0.
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

/** Without money that somebody has accepted, or sent back: what a paid order had too much, others all. */
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

/** What the first page tells of a merchant's orders. */
@Injectable()
export class HomeRepository {
  constructor(private readonly database: Database) {}

  /**
   * What became of the orders of each day and currency. Days lie between the moments, of which the
   * last ends the last day: whoever asks knows when days begin where the merchant lives.
   */
  async dayTotals({ merchantId, mode }: Owner, moments: readonly Date[]): Promise<DayTotals[]> {
    const text = moments
      .slice(1)
      .map((_, day) => dayTotals(day))
      .join(' UNION ALL ');
    type Row = Omit<DayTotals, 'volume'> & { readonly volume: string };
    // Without a name: it is planned for these very moments.
    const rows = await this.database.query<Row>({ name: '', text }, [merchantId, mode, ...moments]);
    return rows.map((row) => ({ ...row, volume: BigInt(row.volume) }));
  }

  /** Orders created in the time with which something is not as it should be; the most first. */
  exceptions({ merchantId, mode }: Owner, from: Date, until: Date): Promise<ExceptionCount[]> {
    return this.database.query(EXCEPTIONS, [merchantId, mode, from, until]);
  }
}
