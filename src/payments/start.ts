import { uuidv7 } from '../common/ids.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { type Payment, PAYMENT_ATTEMPTS_MAX } from '../database/payments/payment.entity.js';
import { Problem } from '../http/problems/problem.js';

/** The payer's choice of payment method. */
export interface Start {
  readonly provider: string;
  readonly method: string;
  /** Amount shown to the payer, in minor units. If the order now has another amount, the payment is not started. */
  readonly due?: number | undefined;
}

/**
 * Asserts that a payment can start now; a pending transfer does not prevent it.
 * @throws Problem `order_not_payable`, `payment_in_progress`, `order_changed`
 */
export function assertStartable(order: Order, { due }: Start, now: Date): void {
  const { status, attempts, expiresAt } = order;
  const waits = awaitsTransfer(order);
  if (status === 'processing' && !waits) throw new Problem('payment_in_progress');
  const isFree = (status === 'open' || waits) && attempts < PAYMENT_ATTEMPTS_MAX;
  if (!isFree || expiresAt <= now) {
    throw new Problem('order_not_payable', { members: { orderStatus: status } });
  }
  if (due !== undefined && due !== dueOf(order)) throw new Problem('order_changed');
}

/** Outstanding amount in minor units. */
const dueOf = ({ amount, amountReceived }: Order): number => amount - amountReceived;

/** @param nextPollAt time of the first poll; null = never */
export function newPayment(
  order: Order,
  start: Start,
  nextPollAt: Date | null,
  now: Date,
): Payment {
  return {
    merchantId: order.merchantId,
    id: uuidv7(now.getTime()),
    txid: order.txid,
    provider: start.provider,
    method: start.method,
    status: 'pending',
    amount: dueOf(order),
    currency: order.currency,
    amountReceived: null,
    receivedCurrency: null,
    completesOrder: false,
    providerReference: null,
    redirectUrl: null,
    errorCode: null,
    errorMessage: null,
    payerAccountNumber: null,
    payerAccountType: null,
    payerAccountName: null,
    transfer: null,
    polls: 0,
    nextPollAt,
    createdAt: now,
    completedAt: null,
  };
}
