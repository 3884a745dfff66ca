import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { remembered } from '../../common/remembered.js';
import type { ConnectionGate } from '../connection/connection-gate.js';
import { Database } from '../database.js';
import { ORDER_STATUSES, type OrderStatus, type OrderWithPayment } from '../orders/order.entity.js';
import { withPayment, withPayments } from '../orders/order.rows.js';
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
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
}

export interface OrderCounts {
  /** Of what the filter shows. */
  readonly count: OrderCount;
  /** Of what it would show without its statuses. */
  readonly everyStatus: OrderCount;
  /** Of each status; null where so many fit the filter that it would take too long. */
  readonly statuses: Readonly<Record<OrderStatus, OrderCount>> | null;
}

/** What the orders of a merchant can be chosen by; in alphabetical order. */
export interface FilterChoices {
  readonly currencies: readonly string[];
  readonly providers: readonly string[];
}

/** Rows are counted exactly up to here. */
export const COUNT_MAX = 10_000;
const CHOICES_MAX = 50;
/** The part of the connections that programs may search with: the others are left to orders. */
const SEARCH_SHARE = 0.4;

/**
 * The list of orders. Statements with a filter have no names: each is planned for its own values,
 * because what is best for a rare status is bad for a frequent one.
 */
@Injectable()
export class OrderListRepository {
  private readonly searches: ConnectionGate;

  constructor(private readonly database: Database) {
    this.searches = database.lane(SEARCH_SHARE);
  }

  /** A row that arrives meanwhile moves none from one page to another. */
  async page(
    scope: OrderScope,
    filter: OrderFilter,
    { cursor, direction, limit }: OrderListWindow,
  ): Promise<OrderListPage> {
    // One row more than asked for tells whether there are more.
    const { text, values } = pageSql(scope, filter, { cursor, direction, limit: limit + 1 });
    const name = isOfNothing(filter) ? nameOf(text) : '';
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

  /** Whole orders, for programs: as they are met from the cursor on. */
  async orders(
    scope: OrderScope,
    filter: OrderFilter,
    window: OrderListWindow,
  ): Promise<OrderWithPayment[]> {
    const sql = ordersSql(scope, filter, window);
    const rows = await this.searches.pass('read', () => this.query<Record<string, unknown>>(sql));
    return rows.map(withPayments);
  }

  /** @param max rows are counted exactly up to here */
  async count(
    scope: OrderScope,
    filter: OrderFilter,
    max: number = COUNT_MAX,
  ): Promise<OrderCount> {
    const rows = await this.query<{ count: number }>(countSql(scope, filter, max + 1));
    return capped(rows[0]!.count, max);
  }

  async counts(scope: OrderScope, filter: OrderFilter): Promise<OrderCounts> {
    const any = { ...filter, statuses: [] };
    const found = isOfDays(any) ? await this.each(scope, any) : await this.few(scope, any);
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

  /** By currency, in alphabetical order. */
  async sums(scope: OrderScope, filter: OrderFilter): Promise<OrderSum[]> {
    return (await this.query<SummedRow>(sumsSql(scope, filter))).map(sumIn);
  }

  async choices(scope: OrderScope): Promise<FilterChoices> {
    return (await this.query<FilterChoices>(choicesSql(scope, CHOICES_MAX)))[0]!;
  }

  /** A look at each status, which an index has in the order of days. */
  private async each(scope: OrderScope, filter: OrderFilter): Promise<StatusCounts> {
    const possible = filter.basis === 'paid' ? (['paid'] as const) : ORDER_STATUSES;
    const sql = countsSql(scope, filter, possible, COUNT_MAX + 1);
    return (await this.query<StatusCounts>(sql))[0]!;
  }

  /** One look at all rows; undefined when they are more than a count goes to. */
  private async few(scope: OrderScope, filter: OrderFilter): Promise<StatusCounts | undefined> {
    const sql = groupsSql(scope, filter, COUNT_MAX + 1);
    const groups = await this.query<{ status: OrderStatus; count: number }>(sql);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    if (total > COUNT_MAX) return undefined;
    return Object.fromEntries(groups.map(({ status, count }) => [status, count]));
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

/** As many texts as a page without a filter has ways to turn. */
const nameOf = remembered((text: string) => `order_list_${hash('sha256', text).slice(0, 16)}`);

/** Whether every order is listed, by the time of its creation: one index has them in this order. */
const isOfNothing = (filter: OrderFilter): boolean =>
  isOfDays(filter) &&
  filter.basis === 'created' &&
  filter.from === null &&
  filter.until === null &&
  filter.statuses.length === 0;

/** Whether the filter asks for nothing but days: rows of a status are found without any other then. */
const isOfDays = (filter: OrderFilter): boolean =>
  !looksFor(filter) &&
  filter.customerEmail === null &&
  filter.currency === null &&
  filter.provider === null &&
  filter.exception === null &&
  filter.field === null &&
  filter.payout === null;
