import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { ORDER_STATUSES, type OrderStatus } from '../entities/order.entity.js';
import { withPayment } from '../rows.js';
import type { Direction } from './history-keys.statements.js';
import type { HistoryCursor, HistoryFilter, HistoryRow, HistoryScope } from './history.model.js';
import {
  countsSql,
  countSql,
  groupsSql,
  type HistorySql,
  pageSql,
  sumsSql,
} from './history.statements.js';

export interface HistoryWindow {
  /** The row beside which the page lies; null = the newest or the oldest page. */
  readonly cursor: HistoryCursor | null;
  readonly direction: Direction;
  readonly limit: number;
}

export interface HistoryPage {
  /** Newest first. */
  readonly rows: readonly HistoryRow[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export interface HistoryCount {
  readonly count: number;
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
}

/** Minor units. */
export interface HistorySum {
  readonly currency: string;
  readonly orders: number;
  readonly amount: bigint;
  readonly amountReceived: bigint;
  readonly amountRefunded: bigint;
}

/** Rows are counted exactly up to here. */
export const COUNT_MAX = 10_000;

/**
 * The transaction history. Its statements have no names: each is planned for its own values, because
 * what is best for a rare status is bad for a frequent one.
 */
@Injectable()
export class HistoryRepository {
  constructor(private readonly database: Database) {}

  /** A row that arrives meanwhile moves none from one page to another. */
  async page(
    scope: HistoryScope,
    filter: HistoryFilter,
    { cursor, direction, limit }: HistoryWindow,
  ): Promise<HistoryPage> {
    // One row more than asked for tells whether there are more.
    const sql = pageSql(scope, filter, { cursor, direction, limit: limit + 1 });
    const found = await this.query<Record<string, unknown>>(sql);
    const hasBefore = found[0]?.['hasBefore'] === true;
    for (const row of found) delete row['hasBefore'];
    const rows = found
      .filter(({ txid }) => txid !== null)
      .map((row) => withPayment<HistoryRow>(row));
    const hasBeyond = rows.length > limit;
    return direction === 'older'
      ? { rows: rows.slice(0, limit), hasOlder: hasBeyond, hasNewer: hasBefore }
      : { rows: rows.slice(-limit), hasOlder: hasBefore, hasNewer: hasBeyond };
  }

  async count(scope: HistoryScope, filter: HistoryFilter): Promise<HistoryCount> {
    const rows = await this.query<{ count: number }>(countSql(scope, filter, COUNT_MAX + 1));
    return capped(rows[0]!.count);
  }

  /** What the filter would show of each status, whatever statuses it has now. */
  async statusCounts(
    scope: HistoryScope,
    filter: HistoryFilter,
  ): Promise<Record<OrderStatus, HistoryCount>> {
    const any = { ...filter, statuses: [] };
    const counts = (await this.countsOfFew(scope, any)) ?? (await this.countsOfMany(scope, any));
    const entries = ORDER_STATUSES.map((status) => [status, capped(counts[status] ?? 0)]);
    return Object.fromEntries(entries) as Record<OrderStatus, HistoryCount>;
  }

  /** By currency, in alphabetical order. */
  async sums(scope: HistoryScope, filter: HistoryFilter): Promise<HistorySum[]> {
    type Row = Record<keyof HistorySum, string> & { readonly orders: number };
    const rows = await this.query<Row>(sumsSql(scope, filter));
    return rows.map((row) => ({
      currency: row.currency,
      orders: row.orders,
      amount: BigInt(row.amount),
      amountReceived: BigInt(row.amountReceived),
      amountRefunded: BigInt(row.amountRefunded),
    }));
  }

  /** One look at all rows; undefined when they are more than a count goes to. */
  private async countsOfFew(
    scope: HistoryScope,
    filter: HistoryFilter,
  ): Promise<StatusCounts | undefined> {
    const sql = groupsSql(scope, filter, COUNT_MAX + 1);
    const groups = await this.query<{ status: OrderStatus; count: number }>(sql);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    if (total > COUNT_MAX) return undefined;
    return Object.fromEntries(groups.map(({ status, count }) => [status, count]));
  }

  /** A look at each status. */
  private async countsOfMany(scope: HistoryScope, filter: HistoryFilter): Promise<StatusCounts> {
    const possible = filter.basis === 'paid' ? (['paid'] as const) : ORDER_STATUSES;
    const sql = countsSql(scope, filter, possible, COUNT_MAX + 1);
    return (await this.query<StatusCounts>(sql))[0]!;
  }

  private query<Row>({ text, values }: HistorySql): Promise<Row[]> {
    return this.database.query({ name: '', text }, values);
  }
}

type StatusCounts = Partial<Record<OrderStatus, number>>;

const capped = (count: number): HistoryCount => ({
  count: Math.min(count, COUNT_MAX),
  isMore: count > COUNT_MAX,
});
