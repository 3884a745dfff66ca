import type { Order } from '../database/orders/order.entity.js';

/** Whether a bank took back what had paid the order, and nothing has made up for it. */
export const isOwedAgain = ({ status, exception }: Pick<Order, 'status' | 'exception'>): boolean =>
  status === 'paid' && exception === 'charged_back';

/**
 * What is odd about a paid order after money was taken back of it, or has made up for that.
 * @param owed what its merchant lacks of the price
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
