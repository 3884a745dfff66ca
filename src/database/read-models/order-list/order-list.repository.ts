import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { memoize } from '../../../common/memoize.js';
import { Database } from '../../database.js';
import {
  ORDER_STATUSES,
  type OrderStatus,
  type OrderWithPayment,
} from '../../orders/order.entity.js';
import { withPayment, withPayments } from '../../orders/order.rows.js';
import { choicesSql } from './order-list-choices.statements.js';
import type { OrderFilter, ListedOrder, OrderScope } from './order-list.model.js';
import {
  countsSql,
  countSql,
  groupsSql,
  ordersSql,
  type OrderListSql,
  type OrderListWindow,
  pageSql,
  sumsSql,
} from './order-list.statements.js';
import { looksFor } from './order-list-search.statements.js';
import { type OrderSum, sumIn, type SummedRow } from './order-sums.js';

export type { OrderListWindow } from './order-list.statements.js';

export interface OrderListPage {
  /** Newest first. */
  readonly rows: readonly ListedOrder[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export interface OrderCount {
  readonly count: number;
  /** Whether counting stopped at the limit. */
  readonly isMore: boolean;
}

export interface OrderCounts {
  /** Orders that match the filter. */
  readonly count: OrderCount;
  /** Orders that match the filter without its statuses. */
  readonly everyStatus: OrderCount;
  /** Orders by status; null when counting would take too long. */
  readonly statuses: Readonly<Record<OrderStatus, OrderCount>> | null;
}

/** Values for the list's filters, sorted. */
export interface FilterChoices {
  readonly currencies: readonly string[];
  readonly providers: readonly string[];
}

/** Counting stops at this number of rows. */
export const COUNT_MAX = 10_000;
const CHOICES_MAX = 50;

/**
 * The list of orders. Statements with a filter are unnamed, so that each is planned for its values: a plan for a rare
 * status is bad for a frequent one.
 */
@Injectable()
export class OrderListRepository {
  constructor(private readonly database: Database) {}

  /** Keyset pagination: new rows do not shift pages. */
  async page(
    scope: OrderScope,
    filter: OrderFilter,
    { cursor, direction, limit }: OrderListWindow,
  ): Promise<OrderListPage> {
    // One extra row shows whether there are more.
    const { text, values } = pageSql(scope, filter, { cursor, direction, limit: limit + 1 });
    const name = isUnfiltered(filter) ? nameOf(text) : '';
    const found = await this.database.query<Record<string, unknown>>({ name, text }, values);
    const hasBefore = found[0]?.['hasBefore'] === true;
    for (const row of found) delete row['hasBefore'];
    const rows = found
      .filter(({ txid }) => txid !== null)
      .map((row) => withPayment<ListedOrder>(row));
    const hasBeyond = rows.length > limit;
    return direction === 'older'
      ? { rows: rows.slice(0, limit), hasOlder: hasBeyond, hasNewer: hasBefore }
      : { rows: rows.slice(-limit), hasOlder: hasBefore, hasNewer: hasBeyond };
  }

  /** Complete orders for API clients, from the cursor on. */
  async orders(
    scope: OrderScope,
    filter: OrderFilter,
    window: OrderListWindow,
  ): Promise<OrderWithPayment[]> {
    const sql = ordersSql(scope, filter, window);
    const rows = await this.slowQuery<Record<string, unknown>>(sql);
    return rows.map(withPayments);
  }

  /** @param max counting stops here */
  async count(
    scope: OrderScope,
    filter: OrderFilter,
    max: number = COUNT_MAX,
  ): Promise<OrderCount> {
    const rows = await this.slowQuery<{ count: number }>(countSql(scope, filter, max + 1));
    return capped(rows[0]!.count, max);
  }

  async counts(scope: OrderScope, filter: OrderFilter): Promise<OrderCounts> {
    const any = { ...filter, statuses: [] };
    const found = isPeriodOnly(any) ? await this.each(scope, any) : await this.few(scope, any);
    if (!found) {
      const count = filter.statuses.length === 0 ? MANY : await this.count(scope, filter);
      return { count, everyStatus: MANY, statuses: null };
    }
    const countOf = (statuses: readonly OrderStatus[]): OrderCount =>
      capped(statuses.reduce((sum, status) => sum + (found[status] ?? 0), 0));
    const entries = ORDER_STATUSES.map((status) => [status, countOf([status])]);
    const everyStatus = countOf(ORDER_STATUSES);
    return {
      count: filter.statuses.length === 0 ? everyStatus : countOf(filter.statuses),
      everyStatus,
      statuses: Object.fromEntries(entries) as Record<OrderStatus, OrderCount>,
    };
  }

  /** By currency, sorted. */
  async sums(scope: OrderScope, filter: OrderFilter): Promise<OrderSum[]> {
    return (await this.slowQuery<SummedRow>(sumsSql(scope, filter))).map(sumIn);
  }

  async choices(scope: OrderScope): Promise<FilterChoices> {
    return (await this.query<FilterChoices>(choicesSql(scope, CHOICES_MAX)))[0]!;
  }

  /** One count per status, by an index in time order. */
  private async each(scope: OrderScope, filter: OrderFilter): Promise<StatusCounts> {
    const possible = filter.basis === 'paid' ? (['paid'] as const) : ORDER_STATUSES;
    const sql = countsSql(scope, filter, possible, COUNT_MAX + 1);
    return (await this.query<StatusCounts>(sql))[0]!;
  }

  /** One count of all rows by status; undefined above `COUNT_MAX`. */
  private async few(scope: OrderScope, filter: OrderFilter): Promise<StatusCounts | undefined> {
    const sql = groupsSql(scope, filter, COUNT_MAX + 1);
    const groups = await this.query<{ status: OrderStatus; count: number }>(sql);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    if (total > COUNT_MAX) return undefined;
    return Object.fromEntries(groups.map(({ status, count }) => [status, count]));
  }

  private slowQuery<Row>(sql: OrderListSql): Promise<Row[]> {
    return this.database.slowWork.pass('read', () => this.query<Row>(sql));
  }

  private query<Row>({ text, values }: OrderListSql): Promise<Row[]> {
    return this.database.query({ name: '', text }, values);
  }
}

type StatusCounts = Partial<Record<OrderStatus, number>>;

const capped = (count: number, max = COUNT_MAX): OrderCount => ({
  count: Math.min(count, max),
  isMore: count > max,
});

const MANY = capped(COUNT_MAX + 1);

/** Bounded: without a filter there are few texts. */
const nameOf = memoize((text: string) => `order_list_${hash('sha256', text).slice(0, 16)}`);

/** Whether all orders are listed by creation time, in the order of one index. */
const isUnfiltered = (filter: OrderFilter): boolean =>
  isPeriodOnly(filter) &&
  filter.basis === 'created' &&
  filter.from === null &&
  filter.until === null &&
  filter.statuses.length === 0;

/** Whether only period and status are filtered: then each status can be counted by its index. */
const isPeriodOnly = (filter: OrderFilter): boolean =>
  !looksFor(filter) &&
  filter.customerEmail === null &&
  filter.currency === null &&
  filter.provider === null &&
  filter.exception === null &&
  filter.field === null &&
  filter.payout === null;
