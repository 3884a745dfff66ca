import type { CopySource } from '../copy/copy-session.js';
import { withLiterals } from '../copy/literals.js';
import { columnsOf } from '../entity-sql.js';
import { guarded, majorUnits } from '../exports/export-source.statements.js';
import {
  type ListingColumns,
  listingSource,
  offsetTime,
} from '../exports/listing-source.statements.js';
import { idAt } from '../ids.js';
import type { Owner } from '../keys.js';
import { Values } from '../values.js';
import { Refund, type RefundStatus } from './refund.entity.js';

/** Columns of a refund in the list. */
export const LISTED_REFUND = [
  'id',
  'txid',
  'refundMerchantId',
  'amount',
  'currency',
  'status',
  'statusReason',
  'origin',
  'reason',
  'requestedBy',
  'createdAt',
  'completedAt',
] as const;

export interface RefundFilter {
  /** First moment of creation; null = open. */
  readonly from: Date | null;
  /** Created before; null = open. */
  readonly until: Date | null;
  /** Empty = all. */
  readonly statuses: readonly RefundStatus[];
  /** A number of the order or of the refund, whole. */
  readonly search: RefundSearch | null;
}

export interface RefundSearch {
  readonly text: string;
  /** The text, if it is one. */
  readonly id: string | null;
}

export interface RefundWindow {
  /** Refund next to the page; null = the newest page. */
  readonly cursor: string | null;
  readonly direction: 'older' | 'newer';
  readonly limit: number;
}

export interface RefundListSql {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Ids of the refunds that a number means: each is found by its own index, so that a search reads few rows however many
 * refunds there are.
 */
function meant({ merchantId, mode }: Owner, { text, id }: RefundSearch, values: Values): string {
  const owner = `merchant_id = ${values.add(merchantId, 'uuid')} AND mode = ${values.add(mode, 'text')}`;
  const number = values.add(text, 'text');
  const found = [
    `SELECT id FROM refunds WHERE ${owner} AND refund_merchant_id = ${number}`,
    `SELECT f.id FROM (SELECT merchant_id, txid FROM orders WHERE ${owner} AND order_merchant_id = ${number}) o
     JOIN refunds f ON f.merchant_id = o.merchant_id AND f.txid = o.txid`,
  ];
  if (id !== null) {
    const same = values.add(id, 'uuid');
    found.push(`SELECT id FROM refunds WHERE ${owner} AND (id = ${same} OR txid = ${same})`);
  }
  return found.join(' UNION ');
}

/** Conditions without the statuses. The time of a refund is in its id. */
function conditionsOf(owner: Owner, { from, until, search }: RefundFilter, values: Values) {
  return [
    `r.merchant_id = ${values.add(owner.merchantId, 'uuid')}`,
    `r.mode = ${values.add(owner.mode, 'text')}`,
    ...(from ? [`r.id >= ${values.add(idAt(from), 'uuid')}`] : []),
    ...(until ? [`r.id < ${values.add(idAt(until), 'uuid')}`] : []),
    ...(search ? [`r.id IN (${meant(owner, search, values)})`] : []),
  ];
}

const inStatuses = ({ statuses }: RefundFilter, values: Values): string[] =>
  statuses.length === 0 ? [] : [`r.status = ANY (${values.add(statuses, 'text[]')})`];

const JOINS = `JOIN orders o ON o.merchant_id = r.merchant_id AND o.txid = r.txid
  LEFT JOIN users u ON u.id = r.requested_by`;

/** "FROM … WHERE …": all refunds of the filter. The caller may append conditions. */
function sourceOf(owner: Owner, filter: RefundFilter, values: Values, joins: string): string {
  const conditions = [...conditionsOf(owner, filter, values), ...inStatuses(filter, values)];
  return `FROM refunds r ${joins} WHERE ${conditions.join(' AND ')}`;
}

/** Refunds from the cursor on, in the direction of the window. */
export function refundPageSql(
  owner: Owner,
  filter: RefundFilter,
  { cursor, direction, limit }: RefundWindow,
): RefundListSql {
  const values = new Values();
  const [beyond, order] = direction === 'older' ? ['<', 'DESC'] : ['>', 'ASC'];
  const source = sourceOf(owner, filter, values, JOINS);
  const place = cursor === null ? '' : `AND r.id ${beyond} ${values.add(cursor, 'uuid')}`;
  const text = `SELECT ${columnsOf('r', Refund, LISTED_REFUND)},
      o.order_merchant_id AS "orderMerchantId", u.name AS "requestedByName"
    ${source} ${place} ORDER BY r.id ${order} LIMIT ${values.add(limit, 'bigint')}`;
  return { text, values: values.list };
}

/** A row if there are refunds on the other side of the cursor, including it. */
export function refundsBesideSql(
  owner: Owner,
  filter: RefundFilter,
  cursor: string,
  direction: RefundWindow['direction'],
): RefundListSql {
  const values = new Values();
  const [beyond, order] = direction === 'older' ? ['>=', 'ASC'] : ['<=', 'DESC'];
  const text = `SELECT 1 AS n ${sourceOf(owner, filter, values, '')}
    AND r.id ${beyond} ${values.add(cursor, 'uuid')} ORDER BY r.id ${order} LIMIT 1`;
  return { text, values: values.list };
}

/**
 * Refunds of each status, counted up to `max`, whatever statuses the filter has. Each count is planned for its status: a
 * rare one by its index.
 */
export function refundCountsSql(
  owner: Owner,
  filter: RefundFilter,
  statuses: readonly RefundStatus[],
  max: number,
): RefundListSql {
  const values = new Values();
  const conditions = conditionsOf(owner, filter, values).join(' AND ');
  const limit = values.add(max, 'bigint');
  const counts = statuses.map(
    (status) => `(SELECT count(*) FROM (SELECT FROM refunds r
      WHERE ${conditions} AND r.status = ${values.add(status, 'text')} LIMIT ${limit}) f)::integer AS "${status}"`,
  );
  return { text: `SELECT ${counts.join(', ')}`, values: values.list };
}

/** Keys of the command line belong to nobody. */
const REQUESTED_BY = `CASE WHEN r.requested_by IS NULL THEN 'API key' ELSE ${guarded('u.name')} END`;

/** In column order. Stable: new columns are appended. */
const REFUND_COLUMNS: ListingColumns = {
  refund_id: 'r.id',
  refund_merchant_id: guarded('r.refund_merchant_id'),
  txid: 'r.txid',
  order_merchant_id: guarded('o.order_merchant_id'),
  payment_provider: 'p.provider',
  amount: majorUnits('r.amount', 'r.currency'),
  currency: 'r.currency',
  status: 'r.status',
  status_reason: guarded('r.status_reason'),
  method: 'r.method',
  origin: 'r.origin',
  reason: guarded('r.reason'),
  requested_by: REQUESTED_BY,
  approved_by: guarded('approver.name'),
  created_at: offsetTime('r.created_at'),
  updated_at: offsetTime('r.updated_at'),
  completed_at: offsetTime('r.completed_at'),
};
export const REFUND_HEADERS: readonly string[] = Object.keys(REFUND_COLUMNS);

const FILE_JOINS = `${JOINS} LEFT JOIN users approver ON approver.id = r.approved_by
  JOIN payments p ON p.merchant_id = r.merchant_id AND p.id = r.payment_id`;

/** Refunds, newest first, as CSV without header. */
export function refundsSource(owner: Owner, filter: RefundFilter): CopySource {
  const values = new Values();
  const text = sourceOf(owner, filter, values, FILE_JOINS);
  return listingSource({
    columns: REFUND_COLUMNS,
    from: withLiterals({ text, values: values.list }),
    key: 'r.id',
    order: 'r.id DESC',
    beyond: '<',
    place: `format('%L::uuid', r.id)`,
  });
}
