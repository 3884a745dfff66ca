import { columnsOf } from '../../entity-sql.js';
import { PAYOUT_OF_ORDER } from '../../orders/order-payout.statements.js';
import { Order, type OrderStatus } from '../../orders/order.entity.js';
import { ORDER_WITH_PAYMENTS_COLUMNS, PAYMENT_PREFIX } from '../../orders/order.rows.js';
import { Payment } from '../../payments/payment.entity.js';
import { Values } from '../../values.js';
import { type Direction, orderListKeys } from './order-list-keys.statements.js';
import { looksFor } from './order-list-search.statements.js';
import { conditionsOf, FIELD, ownerOf, PAYMENT_SHOWN } from './order-list.conditions.js';
import {
  type OrderCursor,
  type OrderFilter,
  type OrderScope,
  NO_FILTER,
  ROW_OF_ORDER,
  ROW_OF_PAYMENT,
} from './order-list.model.js';
import { SUMS } from './order-sums.js';

export type { OrderCursor, OrderFilter, ListedOrder, OrderScope } from './order-list.model.js';

/** SQL with its $n values. */
export interface OrderListSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * "FROM orders o … WHERE …": all rows of the filter, with the shown payment `p` and the merchant `m`. The caller may
 * append conditions.
 * @param joins further tables
 */
export function orderListSource(
  scope: OrderScope,
  filter: OrderFilter,
  joins: readonly string[] = [],
): OrderListSql {
  const values = new Values();
  const owner = ownerOf(scope, values);
  const isFound = looksFor(filter) || filter.payout !== null;
  // The search applies all conditions of the filter itself.
  const conditions = conditionsOf(owner, isFound ? NO_FILTER : filter, values);
  const from = [
    'FROM orders o JOIN merchants m ON m.id = o.merchant_id',
    ...(isFound ? [found(scope, filter, values)] : filter.field ? [FIELD] : []),
    PAYMENT_SHOWN,
    ...joins,
  ];
  if (filter.provider !== null && !isFound) {
    conditions.push(`p.provider = ${values.add(filter.provider, 'text')}`);
  }
  return { text: `${from.join(' ')} WHERE ${conditions.join(' AND ')}`, values: values.list };
}

const found = (scope: OrderScope, filter: OrderFilter, values: Values): string =>
  `JOIN (${orderListKeys(scope, filter, values)}) k
    ON k.merchant_id = o.merchant_id AND k.txid = o.txid`;

const ROW = `${columnsOf('o', Order, ROW_OF_ORDER)}, m.name AS "merchantName", payout.id AS "payoutId", payout.status AS "payoutStatus", ${columnsOf('p', Payment, ROW_OF_PAYMENT, PAYMENT_PREFIX)}`;

/** A page of rows. */
export interface OrderListWindow {
  /** Cursor; null = start at the newest or oldest row. */
  readonly cursor: OrderCursor | null;
  readonly direction: Direction;
  readonly limit: number;
}

/** The keys of the rows in the window. */
const keysIn = (
  { direction, cursor, limit }: OrderListWindow,
  scope: OrderScope,
  filter: OrderFilter,
  values: Values,
): string =>
  orderListKeys(scope, filter, values, { limit, course: { direction, cursor, inclusive: false } });

/** Complete orders from the cursor on, in the direction of the scan. */
export function ordersSql(
  scope: OrderScope,
  filter: OrderFilter,
  window: OrderListWindow,
): OrderListSql {
  const values = new Values();
  const keys = keysIn(window, scope, filter, values);
  const turn = window.direction === 'older' ? 'DESC' : 'ASC';
  const text = `WITH keys AS MATERIALIZED (${keys})
    SELECT ${ORDER_WITH_PAYMENTS_COLUMNS}
    FROM keys k JOIN orders o ON o.merchant_id = k.merchant_id AND o.txid = k.txid ${PAYMENT_SHOWN}
    ORDER BY k.at ${turn}, k.txid ${turn}`;
  return { text, values: values.list };
}

/**
 * A page of rows, newest first; each row says whether there are rows on the other side of the cursor. Without rows, a
 * single row has only that flag.
 */
export function pageSql(
  scope: OrderScope,
  filter: OrderFilter,
  window: OrderListWindow,
): OrderListSql {
  const values = new Values();
  const keys = keysIn(window, scope, filter, values);
  const text = `WITH keys AS MATERIALIZED (${keys})
    SELECT before."hasBefore", ${ROW}
    FROM (SELECT ${hasBefore(scope, filter, window, values)} AS "hasBefore") before
    LEFT JOIN (keys k JOIN orders o ON o.merchant_id = k.merchant_id AND o.txid = k.txid
      JOIN merchants m ON m.id = k.merchant_id ${PAYMENT_SHOWN} ${PAYOUT_OF_ORDER}) ON true
    ORDER BY k.at DESC, k.txid DESC`;
  return { text, values: values.list };
}

function hasBefore(
  scope: OrderScope,
  filter: OrderFilter,
  { direction, cursor }: { direction: Direction; cursor: OrderCursor | null },
  values: Values,
): string {
  if (!cursor) return 'false';
  const back = direction === 'older' ? 'newer' : 'older';
  const course = { direction: back, cursor, inclusive: true } as const;
  return `EXISTS (${orderListKeys(scope, filter, values, { limit: 1, course })})`;
}

/** Counts rows by status among the first `limit`. */
export function groupsSql(scope: OrderScope, filter: OrderFilter, limit: number): OrderListSql {
  const values = new Values();
  const keys = orderListKeys(scope, filter, values, { limit });
  const text = `SELECT k.status, count(*) AS count FROM (${keys}) k GROUP BY k.status`;
  return { text, values: values.list };
}

/** Counts rows by status, up to `limit` each. */
export function countsSql(
  scope: OrderScope,
  filter: OrderFilter,
  statuses: readonly OrderStatus[],
  limit: number,
): OrderListSql {
  const values = new Values();
  const counts = statuses.map((status) => {
    const keys = orderListKeys(scope, { ...filter, statuses: [status] }, values, { limit });
    return `(SELECT count(*) FROM (${keys}) c) AS ${status}`;
  });
  return { text: `SELECT ${counts.join(', ')}`, values: values.list };
}

/** Counts rows, up to `limit`. */
export function countSql(scope: OrderScope, filter: OrderFilter, limit: number): OrderListSql {
  const values = new Values();
  const keys = orderListKeys(scope, filter, values, { limit });
  return { text: `SELECT count(*) AS count FROM (${keys}) c`, values: values.list };
}

/** Totals by currency. */
export function sumsSql(scope: OrderScope, filter: OrderFilter): OrderListSql {
  const { text, values } = orderListSource(scope, filter);
  return { text: `SELECT ${SUMS} ${text} GROUP BY o.currency ORDER BY o.currency`, values };
}
