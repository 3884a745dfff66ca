import type { OrderWithPayment } from '../database/entities/order.entity.js';

/** Whether a cancellation has a good chance: nothing received, and a live payment can be voided. */
export function isCancelable(
  order: OrderWithPayment,
  canVoid: (provider: string) => boolean,
): boolean {
  if (order.amountReceived > 0) return false;
  if (order.status === 'open') return true;
  return order.status === 'processing' && canVoid(order.payment?.provider ?? '');
}
