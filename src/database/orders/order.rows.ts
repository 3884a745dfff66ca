import { columnsOf, split } from '../entity-sql.js';
import { Payment } from '../payments/payment.entity.js';
import { Order } from './order.entity.js';

export const PAYMENT_PREFIX = 'payment.';

/** Of an order `o` and the payment `p` that it shows. */
export const ORDER_WITH_PAYMENT_COLUMNS = `${columnsOf('o', Order)}, ${columnsOf('p', Payment, undefined, PAYMENT_PREFIX)}`;

/** A row of an order and its payment, or of some of their columns. */
export function withPayment<Shown>(row: Readonly<Record<string, unknown>>): Shown {
  const [order, payment] = split(row, PAYMENT_PREFIX);
  order['payment'] = payment['id'] === null ? null : payment;
  return order as Shown;
}
