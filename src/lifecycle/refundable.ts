import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';

/** Knows which providers make refunds. */
export interface Refunds {
  canRefund(provider: string): boolean;
}

type Paid = Pick<Order, 'status' | 'amountReceived' | 'amountRefunded' | 'amountRefundPending'> & {
  readonly payments: readonly Pick<Payment, 'provider' | 'amountReceived'>[];
};

/**
 * What is left to refund of a paid order, in minor units of its currency: what it received, less refunds and returns.
 * 0 if no provider of its payments makes refunds.
 */
export function amountRefundable(order: Paid, providers: Refunds): number {
  const { status, amountReceived, amountRefunded, amountRefundPending, payments } = order;
  const canRefund = payments.some(
    (payment) => payment.amountReceived !== null && providers.canRefund(payment.provider),
  );
  if (status !== 'paid' || !canRefund) return 0;
  return Math.max(0, amountReceived - amountRefunded - amountRefundPending);
}
