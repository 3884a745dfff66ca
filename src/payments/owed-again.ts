import type { Order } from '../database/orders/order.entity.js';

/** Whether a bank took back money that had paid the order, and nothing has made up for it. */
export const isOwedAgain = ({ status, exception }: Pick<Order, 'status' | 'exception'>): boolean =>
  status === 'paid' && exception === 'charged_back';

/**
 * Exception of a paid order after a chargeback, or after money that made up for it.
 * @param owed amount that the merchant lacks of the price
 */
export function exceptionOfPaid(
  order: Order,
  amountReceived: number,
  owed: number,
): Order['exception'] {
  if (owed > 0) return 'charged_back';
  const { exception } = order;
  const isKept = exception !== 'none' && exception !== 'charged_back';
  if (amountReceived - order.amountRefunded > order.amount) return isKept ? exception : 'overpaid';
  return exception === 'wrong_currency' ? exception : 'none';
}
