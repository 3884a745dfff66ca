import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { TtlCache } from '../../common/ttl-cache.js';
import {
  type FilterChoices,
  type OrderCounts,
  OrderListRepository,
  type OrderListWindow,
} from '../../database/read-models/order-list/order-list.repository.js';
import type {
  ListedOrder,
  OrderScope,
} from '../../database/read-models/order-list/order-list.statements.js';
import { cursorText, parseCursor } from '../../order-search/order-cursor.js';
import { type FilterProblem, NO_FILTER, type OrderFilter, parseFilter } from './order-filter.js';
import { type OrderLine, lineOf } from './order-line.js';
import type { Shown } from './order-list-address.js';
import type { OrdersAccess } from './orders-access.js';

/** Page size. */
export const PAGE_ROWS = 25;

/** Counts up to this number are not cached. */
const FEW = 1_000;
/** Cache duration of larger counts, in milliseconds. */
const COUNTED_MS = 1_000;
const COUNTED_MAX = 1_000;

/** Data about all matching orders, not only the rows of the page. */
interface Surroundings {
  readonly counts: OrderCounts;
  readonly choices: FilterChoices;
}

/** Parsed filter with its problems. */
export interface AskedOrders extends Shown {
  readonly problems: readonly FilterProblem[];
  /** Submitted parameters, valid or not. */
  readonly typed: URLSearchParams;
  readonly now: Date;
}

/** A page of the list. */
export interface OrdersPage extends AskedOrders, Surroundings {
  readonly lines: readonly OrderLine[];
  /** Cursors of the newer and older page, or null. */
  readonly newer: string | null;
  readonly older: string | null;
  /** Whether there has never been an order. */
  readonly isNew: boolean;
  /** The only result, if its ID equals the search text. */
  readonly hit: OrderLine | null;
}

/** Reads the list of orders for its pages. */
@Injectable()
export class OrderListService {
  private readonly surroundings = new TtlCache<Surroundings>(
    ({ counts }) => (counts.everyStatus.count > FEW ? COUNTED_MS : 0),
    COUNTED_MAX,
  );

  constructor(
    private readonly orderList: OrderListRepository,
    private readonly clock: Clock,
  ) {}

  ask(access: OrdersAccess, typed: URLSearchParams): AskedOrders {
    const now = this.clock.now();
    return { access, typed, now, ...parseFilter(typed, access, now) };
  }

  async list(asked: AskedOrders): Promise<OrdersPage> {
    const { access, filter, typed } = asked;
    const window = windowOf(typed);
    const [{ rows, hasNewer, hasOlder }, { counts, choices }] = await Promise.all([
      this.orderList.page(access.scope, filter, window),
      this.around(access.scope, filter),
    ]);
    const lines = rows.map((row) => lineOf(row, access.visibility));
    const at = (row: ListedOrder | undefined): string | null =>
      row ? cursorText({ time: timeOf(row, asked), txid: row.txid }) : typed.get('newer');
    return {
      ...asked,
      lines,
      counts,
      choices,
      newer: hasNewer ? at(rows[0]) : null,
      older: hasOlder ? at(rows.at(-1)) : null,
      isNew: counts.everyStatus.count === 0 && (await this.hasNone(access)),
      hit: window.cursor === null && !hasOlder ? hitOf(lines, filter.search) : null,
    };
  }

  /** Cached, so that paging through a long list does not count it again on each page. */
  private around(scope: OrderScope, filter: OrderFilter): Promise<Surroundings> {
    return this.surroundings.get(JSON.stringify([scope, filter]), async () => {
      const [counts, choices] = await Promise.all([
        this.orderList.counts(scope, filter),
        this.orderList.choices(scope),
      ]);
      return { counts, choices };
    });
  }

  private async hasNone({ scope }: OrdersAccess): Promise<boolean> {
    const window = { cursor: null, direction: 'older', limit: 1 } as const;
    return (await this.orderList.page(scope, NO_FILTER, window)).rows.length === 0;
  }
}

function windowOf(typed: URLSearchParams): OrderListWindow {
  const newer = parseCursor(typed.get('newer') ?? '');
  const cursor = newer ?? parseCursor(typed.get('older') ?? '');
  return { cursor, direction: newer ? 'newer' : 'older', limit: PAGE_ROWS };
}

const timeOf = (row: ListedOrder, { filter }: Shown): Date =>
  filter.basis === 'paid' && row.paidAt ? row.paidAt : row.createdAt;

function hitOf(lines: readonly OrderLine[], search: string | null): OrderLine | null {
  const [line] = lines;
  if (!line || lines.length > 1 || search === null) return null;
  const isId = line.txid === search.toLowerCase() || line.orderMerchantId === search;
  return isId ? line : null;
}
