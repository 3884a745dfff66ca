import {
  columnsOf,
  columnDefaults,
  fromJson,
  type Json,
  jsonOf,
  readOf,
  split,
} from '../entity-sql.js';
import { Payment } from '../payments/payment.entity.js';
import { type NewOrder, Order, type OrderWithPayment } from './order.entity.js';

export const PAYMENT_PREFIX = 'payment.';

/** Columns of an order `o` and its shown payment `p`. */
export const ORDER_WITH_PAYMENT_COLUMNS = `${columnsOf('o', Order)}, ${columnsOf('p', Payment, undefined, PAYMENT_PREFIX)}`;

/** JSON of the other payments `q` of order `o`. Skipped for orders with a single attempt. */
export const otherPayments = (json: string): string => `CASE WHEN o.attempts > 1 THEN (
  SELECT jsonb_agg(${json}) FROM payments q
  WHERE q.merchant_id = o.merchant_id AND q.txid = o.txid AND q.id IS DISTINCT FROM p.id) END`;

const PAYMENT = readOf(Payment);

/** The same with the other payments. */
export const ORDER_WITH_PAYMENTS_COLUMNS = `${ORDER_WITH_PAYMENT_COLUMNS},
  ${otherPayments(jsonOf('q', Payment, PAYMENT))} AS others`;

/** Maps a row of an order and its payment, or of some of their columns. */
export function withPayment<Shown>(row: Readonly<Record<string, unknown>>): Shown {
  const [order, payment] = split(row, PAYMENT_PREFIX);
  order['payment'] = payment['id'] === null ? null : payment;
  return order as Shown;
}

/** Maps a row of an order and all its payments. */
export function withPayments({
  others,
  ...row
}: Readonly<Record<string, unknown>>): OrderWithPayment {
  const order = withPayment<Omit<OrderWithPayment, 'payments'>>(row);
  const shown = order.payment ? [order.payment] : [];
  if (!others) return { ...order, payments: shown };
  const rest = (others as Json<Payment>[]).map((json) => fromJson(Payment, PAYMENT, json));
  return { ...order, payments: [...shown, ...rest].sort(byStart) };
}

const byStart = (a: Payment, b: Payment): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

const FIRST_VALUES = columnDefaults(Order);

/** A new order as stored, with column defaults. */
export const asStored = (order: NewOrder): OrderWithPayment => ({
  ...FIRST_VALUES,
  ...order,
  status: 'open',
  updatedAt: order.createdAt,
  payment: null,
  payments: [],
});
