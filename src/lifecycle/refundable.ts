import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import type { RefundMethod } from '../database/refunds/refund.entity.js';

/** A payment, and its payer as the bank or provider reported it. */
export type PaidPayment = Pick<
  Payment,
  | 'provider'
  | 'amountReceived'
  | 'receivedCurrency'
  | 'payerAccountNumber'
  | 'payerAccountType'
  | 'payerAccountName'
>;

/** Knows how money of payments goes back; null = only outside of the service. */
export interface Refunds {
  refundMethodOf(payment: PaidPayment): RefundMethod | null;
}

type Paid = Pick<Order, 'status' | 'amountReceived' | 'amountRefunded' | 'amountRefundPending'> & {
  readonly payments: readonly PaidPayment[];
};

/**
 * What is left to refund of a paid order, in minor units of its currency: what it received, less refunds and returns.
 * 0 if none of its payments can be sent back.
 */
export function amountRefundable(order: Paid, providers: Refunds): number {
  const { status, amountReceived, amountRefunded, amountRefundPending, payments } = order;
  const canRefund = payments.some(
    (payment) => payment.amountReceived !== null && providers.refundMethodOf(payment) !== null,
  );
  if (status !== 'paid' || !canRefund) return 0;
  return Math.max(0, amountReceived - amountRefunded - amountRefundPending);
}
