import type { Values } from '../values.js';
import { looksFor, type Match, matchesOf } from './order-list-search.statements.js';
import {
  conditionsOf,
  FIELD,
  isTimedByField,
  type OwnerParameters,
  ownerOf,
  PAYMENT_FOUND,
  paidOutBy,
  timeOf,
  txidsOf,
} from './order-list.conditions.js';
import type { OrderCursor, OrderFilter, OrderScope } from './order-list.model.js';

export type Direction = 'older' | 'newer';

/** A part of the rows that a filter shows. */
export interface Window {
  readonly limit: number;
  /** Without a course, any rows. */
  readonly course?: Course;
}

/** A walk through the rows in the order of time. */
export interface Course {
  readonly direction: Direction;
  /** Where it begins; null = at the newest or the oldest row. */
  readonly cursor: OrderCursor | null;
  /** Whether the row at the cursor is met. */
  readonly inclusive: boolean;
}

/** Whose orders, and which way the rows go: '' or ' DESC'. */
interface Asked extends OwnerParameters {
  readonly merchant: string;
  readonly turn: string;
}

/** One search of the tables: an index gives its rows in the order of `key`. */
interface Part {
  readonly joins: readonly string[];
  readonly conditions: readonly string[];
  readonly key: readonly string[];
  readonly each?: string | undefined;
}

/**
 * Selects `merchant_id`, `txid`, `status` and `at` of the rows in the window, each row once. It is put together
 * from searches that one index each answers in the order of time, however few rows fit and wherever
 * in time they lie: the planner, who takes them to be spread evenly, is not left to guess.
 */
export function orderListKeys(
  scope: OrderScope,
  filter: OrderFilter,
  values: Values,
  window?: Window,
): string {
  const owner = ownerOf(scope, values);
  const merchant = owner.merchant ?? 's.id';
  const turn = turnOf(window);
  const parts = partsOf({ ...owner, merchant, turn }, filter, values).map((part) =>
    select(part, filter, values, window),
  );
  // Who is found in two ways is one row all the same.
  const union = looksFor(filter) ? ' UNION ' : ' UNION ALL ';
  const united = parts.map((part) => `(${part})`).join(union);
  const keys = owner.merchant
    ? united
    : `SELECT k.* FROM merchants s CROSS JOIN LATERAL (${united}) k`;
  return `SELECT k.* FROM (${keys}) k ${endOf(['k.at', 'k.txid'], window)}`;
}

/** A search is each way to be what it looks for; several statuses are each of them. */
function partsOf(owner: Asked, filter: OrderFilter, values: Values): Part[] {
  const { statuses } = filter;
  const matches = matchesOf(filter, values);
  if (matches) return matches.map((match) => partOf(owner, filter, values, match));
  if (statuses.length < 2) return [partOf(owner, filter, values)];
  return statuses.map((status) => partOf(owner, { ...filter, statuses: [status] }, values));
}

function partOf(owner: Asked, filter: OrderFilter, values: Values, match?: Match): Part {
  const needsPayment = filter.provider !== null || match?.byPayment === true;
  const isTimedByPayment =
    needsPayment && filter.basis === 'created' && !filter.field && !filter.payout;
  return {
    joins: [
      ...(filter.field ? [FIELD] : []),
      ...(needsPayment ? [PAYMENT_FOUND] : []),
      ...(filter.payout ? [paidOutBy(owner.merchant, filter.payout, owner.turn, values)] : []),
    ],
    conditions: [
      ...conditionsOf(owner, filter, values),
      ...(filter.provider === null ? [] : [`p.provider = ${values.add(filter.provider, 'text')}`]),
      ...(isTimedByPayment ? txidsOf(filter, values) : []),
      ...(match ? [match.condition] : []),
    ],
    key: isTimedByPayment ? ['p.txid'] : orderKey(filter),
    each: match?.each,
  };
}

function orderKey(filter: OrderFilter): string[] {
  if (isTimedByField(filter)) return ['f.created_at', 'f.txid'];
  const isTimedByPayout = filter.payout !== null && filter.basis === 'created';
  return isTimedByPayout ? ['l.txid'] : [timeOf(filter), 'o.txid'];
}

function select(part: Part, filter: OrderFilter, values: Values, window?: Window): string {
  const { joins, key, each } = part;
  const course = window?.course;
  const place = course?.cursor ? [isBeyond(key, course.cursor, course, values)] : [];
  const keys = `SELECT o.merchant_id, o.txid, o.status, ${timeOf(filter)} AS at FROM orders o ${joins.join(' ')}
    WHERE ${[...part.conditions, ...place].join(' AND ')} ${endOf(key, window)}`;
  return each ? `SELECT k.* FROM ${each} CROSS JOIN LATERAL (${keys}) k` : keys;
}

function isBeyond(
  key: readonly string[],
  { time, txid }: OrderCursor,
  { direction, inclusive }: Course,
  values: Values,
): string {
  const sign = `${direction === 'older' ? '<' : '>'}${inclusive ? '=' : ''}`;
  const id = values.add(txid, 'uuid');
  // Ids tell when they were made, so that a key of ids alone is in the same order.
  if (key.length === 1) return `${key[0]} ${sign} ${id}`;
  return `(${key.join(', ')}) ${sign} (${values.add(time, 'timestamptz')}, ${id})`;
}

const turnOf = (window?: Window): string => (window?.course?.direction === 'older' ? ' DESC' : '');

function endOf(key: readonly string[], window?: Window): string {
  if (!window) return '';
  const { limit, course } = window;
  if (!course) return `LIMIT ${limit}`;
  return `ORDER BY ${key.map((column) => column + turnOf(window)).join(', ')} LIMIT ${limit}`;
}
