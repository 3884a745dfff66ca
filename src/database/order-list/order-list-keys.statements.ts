import type { Values } from '../values.js';
import { looksFor, type Match, matchesOf } from './order-list-search.statements.js';
import {
  conditionsOf,
  FIELD,
  isTimedByField,
  ORDER_OF_PAYMENT,
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
  /** What the tables of `joins` are joined with. */
  readonly from: string;
  readonly joins: readonly string[];
  readonly conditions: readonly string[];
  /** Conditions of the payments that are looked for. */
  readonly found: readonly string[];
  readonly key: readonly string[];
  readonly each?: string | undefined;
  /** The payments that are looked for, where no index has them in the order of `key`. */
  readonly scattered?: string | undefined;
}

/** So many payments are found and sorted about as fast as a walk through time meets a page of more. */
const FEW_MAX = 2_000;

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
  const isByPayment = match !== undefined && match.ofPayment.length > 0;
  const needsPayment = filter.provider !== null || isByPayment;
  const isTimedByPayment =
    needsPayment && filter.basis === 'created' && !filter.field && !filter.payout;
  const ofPayment = [
    ...(filter.provider === null ? [] : [`p.provider = ${values.add(filter.provider, 'text')}`]),
    ...(isTimedByPayment ? txidsOf(filter, values) : []),
  ];
  const found = match?.ofPayment ?? [];
  const isPaymentAlone = isByPayment && !match.each && !filter.field && !filter.payout;
  const isScattered = isPaymentAlone && (match.isRange || filter.basis === 'paid');
  return {
    from: needsPayment ? `orders o ${PAYMENT_FOUND}` : 'orders o',
    joins: [
      ...(filter.field ? [FIELD] : []),
      ...(filter.payout ? [paidOutBy(owner.merchant, filter.payout, owner.turn, values)] : []),
    ],
    conditions: [...conditionsOf(owner, filter, values), ...ofPayment, ...(match?.ofOrder ?? [])],
    found,
    key: isTimedByPayment ? ['p.txid'] : orderKey(filter),
    each: match?.each,
    ...(isScattered && {
      scattered: `SELECT p.* FROM payments p
        WHERE ${[`p.merchant_id = ${owner.merchant}`, ...ofPayment, ...found].join(' AND ')}`,
    }),
  };
}

function orderKey(filter: OrderFilter): string[] {
  if (isTimedByField(filter)) return ['f.created_at', 'f.txid'];
  const isTimedByPayout = filter.payout !== null && filter.basis === 'created';
  return isTimedByPayout ? ['l.txid'] : [timeOf(filter), 'o.txid'];
}

function select(part: Part, filter: OrderFilter, values: Values, window?: Window): string {
  const { key, each, found, scattered } = part;
  const course = window?.course;
  const place = course?.cursor ? [isBeyond(key, course.cursor, course, values)] : [];
  const keysIn = (from: string, conditions: readonly string[]): string =>
    `SELECT o.merchant_id, o.txid, o.status, ${timeOf(filter)} AS at FROM ${[from, ...part.joins].join(' ')}
      WHERE ${[...part.conditions, ...place, ...conditions].join(' AND ')} ${endOf(key, window)}`;
  if (each) return `SELECT k.* FROM ${each} CROSS JOIN LATERAL (${keysIn(part.from, found)}) k`;
  if (!scattered || !course) return keysIn(part.from, found);
  // A guess of the planner can be wrong by far, so that it is tried whether they are few, and many are not guessed at.
  const areFew = `(SELECT count(*) FROM few) <= ${FEW_MAX}`;
  return `WITH few AS MATERIALIZED (${scattered} LIMIT ${FEW_MAX + 1})
    (${keysIn(`few p ${ORDER_OF_PAYMENT}`, [areFew])})
    UNION ALL (${keysIn(part.from, [`NOT ${areFew}`, `CASE WHEN ${found.join(' AND ')} THEN true ELSE false END`])})`;
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
