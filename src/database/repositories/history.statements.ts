import type { OrderStatus } from '../entities/order.entity.js';
import { columnsOf } from '../rows.js';
import { Values } from '../values.js';
import { conditionsOf, FIELD, ownerOf, PAYMENT_SHOWN } from './history.conditions.js';
import { type Direction, historyKeys } from './history-keys.statements.js';
import { SUMS } from './history-sums.js';
import {
  type HistoryCursor,
  type HistoryFilter,
  type HistoryScope,
  NO_FILTER,
} from './history.model.js';
import { PAYOUT_OF_ORDER } from './order-payout.statements.js';

export type { HistoryCursor, HistoryFilter, HistoryRow, HistoryScope } from './history.model.js';

/** SQL with its $n values. */
export interface HistorySql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * "FROM orders o … WHERE …": all rows of the filter, with `p`, the payment that the order shows, and
 * `m`, its merchant. More conditions may follow.
 * @param joins of what else the rows show
 */
export function historySource(
  scope: HistoryScope,
  filter: HistoryFilter,
  joins: readonly string[] = [],
): HistorySql {
  const values = new Values();
  const owner = ownerOf(scope, values);
  const isFound = filter.search !== null || filter.payout !== null;
  // What is searched for is found under all conditions of the filter.
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

const found = (scope: HistoryScope, filter: HistoryFilter, values: Values): string =>
  `JOIN (${historyKeys(scope, filter, values)}) k
    ON k.merchant_id = o.merchant_id AND k.txid = o.txid`;

const ROW = `${columnsOf('o', [
  'merchant_id',
  'txid',
  'mode',
  'order_merchant_id',
  'status',
  'status_reason',
  'exception',
  'amount',
  'currency',
  'amount_received',
  'amount_refunded',
  'description',
  'customer_name',
  'customer_email',
  'created_at',
  'expires_at',
  'paid_at',
])}, m.name AS "merchantName", payout.id AS "payoutId", payout.status AS "payoutStatus", ${columnsOf(
  'p',
  [
    'id',
    'provider',
    'method',
    'status',
    'provider_reference',
    'payer_account_number',
    'payer_account_type',
    'payer_account_name',
  ],
  'payment.',
)}`;

/**
 * Rows in the direction from the cursor on, newest first, and in each of them whether there are rows
 * on its other side. Where there are no rows, that stands alone in one with nothing else.
 */
export function pageSql(
  scope: HistoryScope,
  filter: HistoryFilter,
  {
    direction,
    cursor,
    limit,
  }: { direction: Direction; cursor: HistoryCursor | null; limit: number },
): HistorySql {
  const values = new Values();
  const course = { direction, cursor, inclusive: false };
  const keys = historyKeys(scope, filter, values, { limit, course });
  const text = `WITH keys AS MATERIALIZED (${keys})
    SELECT before."hasBefore", ${ROW}
    FROM (SELECT ${hasBefore(scope, filter, { direction, cursor }, values)} AS "hasBefore") before
    LEFT JOIN (keys k JOIN orders o ON o.merchant_id = k.merchant_id AND o.txid = k.txid
      JOIN merchants m ON m.id = k.merchant_id ${PAYMENT_SHOWN} ${PAYOUT_OF_ORDER}) ON true
    ORDER BY k.at DESC, k.txid DESC`;
  return { text, values: values.list };
}

function hasBefore(
  scope: HistoryScope,
  filter: HistoryFilter,
  { direction, cursor }: { direction: Direction; cursor: HistoryCursor | null },
  values: Values,
): string {
  if (!cursor) return 'false';
  const back = direction === 'older' ? 'newer' : 'older';
  const course = { direction: back, cursor, inclusive: true } as const;
  return `EXISTS (${historyKeys(scope, filter, values, { limit: 1, course })})`;
}

/** How many rows there are of each status among the first `limit` that are found. */
export function groupsSql(scope: HistoryScope, filter: HistoryFilter, limit: number): HistorySql {
  const values = new Values();
  const keys = historyKeys(scope, filter, values, { limit });
  const text = `SELECT k.status, count(*) AS count FROM (${keys}) k GROUP BY k.status`;
  return { text, values: values.list };
}

/** How many rows there are of each status: no more than `limit` of each are counted. */
export function countsSql(
  scope: HistoryScope,
  filter: HistoryFilter,
  statuses: readonly OrderStatus[],
  limit: number,
): HistorySql {
  const values = new Values();
  const counts = statuses.map((status) => {
    const keys = historyKeys(scope, { ...filter, statuses: [status] }, values, { limit });
    return `(SELECT count(*) FROM (${keys}) c) AS ${status}`;
  });
  return { text: `SELECT ${counts.join(', ')}`, values: values.list };
}

/** How many rows there are: no more than `limit` are counted. */
export function countSql(scope: HistoryScope, filter: HistoryFilter, limit: number): HistorySql {
  const values = new Values();
  const keys = historyKeys(scope, filter, values, { limit });
  return { text: `SELECT count(*) AS count FROM (${keys}) c`, values: values.list };
}

/** Sums by currency. */
export function sumsSql(scope: HistoryScope, filter: HistoryFilter): HistorySql {
  const { text, values } = historySource(scope, filter);
  return { text: `SELECT ${SUMS} ${text} GROUP BY o.currency ORDER BY o.currency`, values };
}
