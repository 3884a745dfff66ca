import { lastStatementAt } from '../common/time/bank-days.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { lastPollAt } from './poll-schedule.js';

type Processing = Pick<Order, 'status' | 'statusReason' | 'expiresAt'> & {
  readonly payment: Pick<Payment, 'createdAt'> | null;
};

/**
 * Latest end of an order with a payment in progress; null for others.
 * @param unknownOutcomeDays days for which a provider is asked about an unknown outcome
 */
export function processingUntil(order: Processing, unknownOutcomeDays: number): Date | null {
  const { status, payment, expiresAt } = order;
  if (status !== 'processing' || !payment) return null;
  if (awaitsTransfer(order)) return lastStatementAt(expiresAt);
  return lastPollAt({ startedAt: payment.createdAt, expiresAt }, unknownOutcomeDays);
}
