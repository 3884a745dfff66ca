import { columnsOf, firstValuesOf, split } from '../entity-sql.js';
import { Payment } from '../payments/payment.entity.js';
import { type NewOrder, Order, type OrderWithPayment } from './order.entity.js';

export const PAYMENT_PREFIX = 'payment.';

/** Of an order `o` and the payment `p` that it shows. */
export const ORDER_WITH_PAYMENT_COLUMNS = `${columnsOf('o', Order)}, ${columnsOf('p', Payment, undefined, PAYMENT_PREFIX)}`;

/** A row of an order and its payment, or of some of their columns. */
export function withPayment<Shown>(row: Readonly<Record<string, unknown>>): Shown {
  const [order, payment] = split(row, PAYMENT_PREFIX);
  order['payment'] = payment['id'] === null ? null : payment;
  return order as Shown;
}

const FIRST_VALUES = firstValuesOf(Order);

/** The order that the database makes of it. */
export const asStored = (order: NewOrder): OrderWithPayment => ({
  ...FIRST_VALUES,
  ...order,
  status: 'open',
  updatedAt: order.createdAt,
  payment: null,
});
