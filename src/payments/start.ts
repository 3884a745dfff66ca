import { uuidv7 } from '../common/ids.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { type Payment, PAYMENT_ATTEMPTS_MAX } from '../database/payments/payment.entity.js';
import { Problem } from '../http/problem.js';

/** How a payer wants to pay. */
export interface Start {
  readonly provider: string;
  readonly method: string;
  /** What the payer was told to pay, in minor units; an order that asks for something else is not paid so. */
  readonly due?: number | undefined;
}

/**
 * Whether a payment can be started now; a transfer that nobody has seen yet does not stand in its way.
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

/** What is still to be paid, in minor units. */
const dueOf = ({ amount, amountReceived }: Order): number => amount - amountReceived;

/** @param nextLookAt when its provider is asked what became of it; null = never */
export function newPayment(
  order: Order,
  start: Start,
  nextLookAt: Date | null,
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
    looks: 0,
    nextLookAt,
    createdAt: now,
    completedAt: null,
  };
}
