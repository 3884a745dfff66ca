import type { OrderWithPayment } from '../database/orders/order.entity.js';

/** Who knows which providers can stop a live payment. */
export interface Voids {
  canVoid(provider: string): boolean;
}

/** Whether a cancellation has a good chance: nothing received, and a live payment can be voided. */
export function isCancelable(order: OrderWithPayment, providers: Voids): boolean {
  if (order.amountReceived > 0) return false;
  if (order.status === 'open') return true;
  return order.status === 'processing' && providers.canVoid(order.payment?.provider ?? '');
}
