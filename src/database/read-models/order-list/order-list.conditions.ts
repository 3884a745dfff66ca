import { idAt } from '../../ids.js';
import type { Values } from '../../values.js';
import { isCustomer } from './order-list-search.statements.js';
import type { OrderFilter, OrderScope } from './order-list.model.js';

/** Tautology that makes the planner consider the partial indexes of the list. */
const OF_LIST = 'o.amount > 0';

/** Joins the payment that the order shows. */
export const PAYMENT_SHOWN =
  'LEFT JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id';

/**
 * The same, by the order's txid, by which payments are indexed in time order. A plain equality of the ids would make
 * the planner expect almost no rows.
 */
export const PAYMENT_FOUND = `JOIN payments p ON p.merchant_id = o.merchant_id
  AND p.txid = o.txid AND CASE WHEN p.id = o.payment_id THEN true ELSE false END`;

/** Joins the order of a payment, forced to a lookup by key. */
export const ORDER_OF_PAYMENT = `CROSS JOIN LATERAL (SELECT o.* FROM orders o
  WHERE o.merchant_id = p.merchant_id AND o.txid = p.txid AND o.payment_id = p.id OFFSET 0) o`;

export const FIELD = 'JOIN order_fields f ON f.merchant_id = o.merchant_id AND f.txid = o.txid';

/** The same for few orders: with the order's time, the index has each pair. */
export const FIELD_OF_FOUND = `${FIELD} AND f.created_at = o.created_at`;

/**
 * Joins the distinct orders of a payout's lines, paid or not; an order may have several lines. Sorted by id, and so by
 * time, in direction `turn`.
 */
export const paidOutBy = (
  merchant: string,
  payout: string,
  turn: string,
  values: Values,
): string => `JOIN LATERAL (
    SELECT DISTINCT l.txid FROM payout_lines l WHERE l.merchant_id = ${merchant}
      AND l.payout_id = ${values.add(payout, 'uuid')} AND l.kind = 'order' ORDER BY l.txid${turn}
  ) l ON l.txid = o.txid`;

/** SQL parameters of the orders' owner; no merchant = all. */
export interface OwnerParameters {
  readonly merchant: string | null;
  readonly mode: string;
}

export const ownerOf = ({ merchantId, mode }: OrderScope, values: Values): OwnerParameters => ({
  merchant: merchantId === null ? null : values.add(merchantId, 'uuid'),
  mode: values.add(mode, 'text'),
});

export const timeOf = ({ basis }: OrderFilter): string =>
  basis === 'paid' ? 'o.paid_at' : 'o.created_at';

/** Whether rows are timed by the index of optional fields, which includes the order's creation time. */
export const isTimedByField = ({ field, basis }: OrderFilter): boolean =>
  field !== null && basis === 'created';

/** Conditions on the owner. */
export const ofOwner = ({ merchant, mode }: OwnerParameters): string[] => [
  ...(merchant ? [`o.merchant_id = ${merchant}`] : []),
  `o.mode = ${mode}`,
  OF_LIST,
];

/** Conditions of the filter's period on a column. */
export const timesOf = ({ from, until }: OrderFilter, column: string, values: Values): string[] => [
  ...(from ? [`${column} >= ${values.add(from, 'timestamptz')}`] : []),
  ...(until ? [`${column} < ${values.add(until, 'timestamptz')}`] : []),
];

/** Conditions of the filter on the order and its field, without payment and search. */
export function conditionsOf(
  owner: OwnerParameters,
  filter: OrderFilter,
  values: Values,
): string[] {
  const { basis, statuses, amountFrom, amountTo, currency, exception, field } = filter;
  const { customerEmail } = filter;
  const time = isTimedByField(filter) ? 'f.created_at' : timeOf(filter);
  return [
    ...ofOwner(owner),
    ...(basis === 'paid' ? ['o.paid_at IS NOT NULL'] : []),
    ...timesOf(filter, time, values),
    ...(statuses.length > 0 ? [statusIs(statuses, values)] : []),
    ...(currency === null ? [] : [`o.currency = ${values.add(currency, 'text')}`]),
    ...(amountFrom === null ? [] : [`o.amount >= ${values.add(amountFrom, 'bigint')}`]),
    ...(amountTo === null ? [] : [`o.amount <= ${values.add(amountTo, 'bigint')}`]),
    // Matches the partial index of exceptions.
    ...(exception === null ? [] : [`o.exception <> 'none'`]),
    ...(exception === null || exception === 'only'
      ? []
      : [`o.exception = ${values.add(exception, 'text')}`]),
    ...(customerEmail === null ? [] : [isCustomer(customerEmail, values)]),
    ...(field ? fieldIs(owner, field, values) : []),
  ];
}

function statusIs(statuses: OrderFilter['statuses'], values: Values): string {
  const names = statuses.map((status) => values.add(status, 'text'));
  return names.length === 1 ? `o.status = ${names[0]}` : `o.status IN (${names.join(', ')})`;
}

const fieldIs = (
  { mode }: OwnerParameters,
  { name, value }: NonNullable<OrderFilter['field']>,
  values: Values,
): string[] => [
  `f.mode = ${mode}`,
  `f.name = ${values.add(name, 'text')}`,
  `f.value = ${values.add(value, 'text')}`,
];

/** The filter's period as a range of ids, which are sorted by creation time. */
export const txidsOf = ({ from, until }: OrderFilter, values: Values): string[] => [
  ...(from ? [`p.txid >= ${values.add(idAt(from), 'uuid')}`] : []),
  ...(until ? [`p.txid < ${values.add(idAt(until), 'uuid')}`] : []),
];
