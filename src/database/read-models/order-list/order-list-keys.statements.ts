import type { Values } from '../../values.js';
import { anyOf, looksFor, type Match, wantedOf } from './order-list-search.statements.js';
import {
  conditionsOf,
  FIELD,
  FIELD_OF_FOUND,
  isTimedByField,
  ORDER_OF_PAYMENT,
  type OwnerParameters,
  ofOwner,
  ownerOf,
  PAYMENT_FOUND,
  PAYMENT_SHOWN,
  paidOutBy,
  timeOf,
  timesOf,
  txidsOf,
} from './order-list.conditions.js';
import type { OrderCursor, OrderFilter, OrderScope } from './order-list.model.js';

export type Direction = 'older' | 'newer';

/** A range of the filtered rows. */
export interface Window {
  readonly limit: number;
  /** Without it, any rows in any order. */
  readonly course?: Course;
}

/** A scan of the rows by time. */
export interface Course {
  readonly direction: Direction;
  /** Start; null = the newest or oldest row. */
  readonly cursor: OrderCursor | null;
  /** Whether the row at the cursor is included. */
  readonly inclusive: boolean;
}

/** Owner of the orders, and sort direction: '' or ' DESC'. */
interface Asked extends OwnerParameters {
  readonly merchant: string;
  readonly turn: string;
}

/** One search that returns rows in the order of `key` by an index. */
interface Part {
  /** Relation that `joins` extend. @param place condition for the start of the scan, in the order of `key` */
  readonly from: (place: readonly string[]) => string;
  readonly joins: readonly string[];
  readonly conditions: readonly string[];
  /** Alternatives for the payments; empty = all payments. */
  readonly found: readonly string[];
  readonly key: readonly string[];
  readonly each?: string | undefined;
  /** Queries of the payments for each alternative, when no index has them in the order of `key`. */
  readonly scattered?: readonly string[];
}

/** Up to this number, finding and sorting the payments is as fast as scanning a page by time. */
const FEW_MAX = 2_000;

const CREATION = 'o.created_at';

/**
 * Selects `merchant_id`, `txid`, `status` and `at` of the rows in the window, without duplicates. It combines searches
 * that each use one index in time order, so that the time does not depend on how many rows match and where they are:
 * the planner assumes an even distribution and would choose badly.
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
  const parts = partsOf({ ...owner, merchant, turn }, filter, values, window).map((part) =>
    select(part, filter, values, window),
  );
  // UNION removes rows found by several alternatives.
  const union = looksFor(filter) ? ' UNION ' : ' UNION ALL ';
  const united = parts.map((part) => `(${part})`).join(union);
  const keys = owner.merchant
    ? united
    : `SELECT k.* FROM merchants s CROSS JOIN LATERAL (${united}) k`;
  return `SELECT k.* FROM (${keys}) k ${endOf(['k.at', 'k.txid'], window)}`;
}

/** One part per alternative of the search, or per status. */
function partsOf(owner: Asked, filter: OrderFilter, values: Values, window?: Window): Part[] {
  const { statuses } = filter;
  const wanted = wantedOf(filter, values);
  if (wanted) {
    const { also } = wanted;
    const isAlone = (way: Match): boolean => !window?.course || !isScattered(filter, way);
    const [alone = [], scattered = []] = [true, false].map((is) =>
      wanted.ways.filter((way) => isAlone(way) === is),
    );
    // A scan by time checks all alternatives, so one part covers all scattered ones.
    const ways = [...alone.map((way) => [way]), ...(scattered.length > 0 ? [scattered] : [])];
    return ways.map((some) => partOf(owner, filter, values, some, also));
  }
  if (statuses.length < 2) return [partOf(owner, filter, values)];
  return statuses.map((status) => partOf(owner, { ...filter, statuses: [status] }, values));
}

/** Whether no index has the payments of this alternative in the order of the rows. */
const isScattered = ({ field, payout, basis }: OrderFilter, { of, isRange }: Match): boolean =>
  of === 'payment' && !field && !payout && (isRange || basis === 'paid');

/** @param ways several only if all are scattered */
function partOf(
  owner: Asked,
  filter: OrderFilter,
  values: Values,
  ways: readonly Match[] = [],
  also: readonly string[] = [],
): Part {
  const [way] = ways;
  const needsPayment = filter.provider !== null || way?.of === 'payment';
  const isTimedByPayment =
    needsPayment && filter.basis === 'created' && !filter.field && !filter.payout;
  const ofPayment = [
    ...(filter.provider === null ? [] : [`p.provider = ${values.add(filter.provider, 'text')}`]),
    ...(isTimedByPayment ? txidsOf(filter, values) : []),
  ];
  const found = ways.filter(({ of }) => of === 'payment').map(({ condition }) => condition);
  const key = isTimedByPayment ? ['p.txid'] : orderKey(filter);
  const payment = needsPayment ? PAYMENT_FOUND : also.length > 0 ? PAYMENT_SHOWN : '';
  return {
    from: (place) => `${way?.each ? lookedUp(way.condition, place) : 'orders o'} ${payment}`,
    joins: [
      ...(filter.field ? [way?.each ? FIELD_OF_FOUND : FIELD] : []),
      ...(filter.payout ? [paidOutBy(owner.merchant, filter.payout, owner.turn, values)] : []),
    ],
    conditions: [
      ...conditionsOf(owner, filter, values),
      ...ofPayment,
      ...(way?.of === 'order' && !way.each ? [way.condition] : []),
      ...also,
    ],
    found,
    key,
    each: way?.each,
    ...(way && isScattered(filter, way) && { scattered: found.map(paymentsOf) }),
  };

  /**
   * The orders of one row of `each`, forced to use their own index: when the planner assumes that nearly all orders
   * match, it would scan by time for each row and find none.
   */
  function lookedUp(condition: string, place: readonly string[]): string {
    const isInOrder = key[0] === CREATION;
    const span = isInOrder ? [...timesOf(filter, CREATION, values), ...place] : [];
    return `(SELECT o.* FROM orders o WHERE ${[...ofOwner(owner), condition, ...span].join(' AND ')}
      ${isInOrder ? `ORDER BY ${inTurn(key, owner.turn)}` : ''} OFFSET 0) o`;
  }

  function paymentsOf(condition: string): string {
    const conditions = [`p.merchant_id = ${owner.merchant}`, ...ofPayment, condition];
    return `SELECT p.* FROM payments p WHERE ${conditions.join(' AND ')}`;
  }
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
  const isFound = found.length > 0 ? [anyOf(found)] : [];
  if (each)
    return `SELECT k.* FROM ${each} CROSS JOIN LATERAL (${keysIn(part.from(place), isFound)}) k`;
  if (!scattered || !course) return keysIn(part.from([]), isFound);
  // Planner estimates can be far off, so this counts the payments first, and scans by time if there are many.
  const few = scattered.map((payments) => `(${payments} LIMIT ${FEW_MAX + 1})`).join(' UNION ALL ');
  const areFew = `(SELECT count(*) FROM few) <= ${FEW_MAX}`;
  return `WITH few AS MATERIALIZED (SELECT DISTINCT ON (p.id) p.* FROM (${few}) p)
    (${keysIn(`few p ${ORDER_OF_PAYMENT}`, [areFew])})
    UNION ALL (${keysIn(part.from([]), [`NOT ${areFew}`, `CASE WHEN ${anyOf(found)} THEN true ELSE false END`])})`;
}

function isBeyond(
  key: readonly string[],
  { time, txid }: OrderCursor,
  { direction, inclusive }: Course,
  values: Values,
): string {
  const sign = `${direction === 'older' ? '<' : '>'}${inclusive ? '=' : ''}`;
  const id = values.add(txid, 'uuid');
  // Ids are sorted by time, so a key of ids alone has the same order.
  if (key.length === 1) return `${key[0]} ${sign} ${id}`;
  return `(${key.join(', ')}) ${sign} (${values.add(time, 'timestamptz')}, ${id})`;
}

const turnOf = (window?: Window): string => (window?.course?.direction === 'older' ? ' DESC' : '');

function endOf(key: readonly string[], window?: Window): string {
  if (!window) return '';
  const { limit, course } = window;
  if (!course) return `LIMIT ${limit}`;
  return `ORDER BY ${inTurn(key, turnOf(window))} LIMIT ${limit}`;
}

const inTurn = (key: readonly string[], turn: string): string =>
  key.map((column) => column + turn).join(', ');
