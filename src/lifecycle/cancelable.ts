import type { OrderWithPayment } from '../database/orders/order.entity.js';

/** Knows which providers can void a live payment. */
export interface Voids {
  canVoid(provider: string): boolean;
}

type Cancelled = Pick<OrderWithPayment, 'status' | 'statusReason' | 'payment'>;

/** Whether a cancellation can be tried: no payment is pending, or its provider may still void it. */
export function mayBeCancelled({ status, payment }: Cancelled, providers: Voids): boolean {
  if (status === 'open') return true;
  return status === 'processing' && providers.canVoid(payment?.provider ?? '');
}

/** Whether a cancellation will probably succeed: a provider without answers is assumed not to void. */
export const isCancelable = (order: Cancelled, providers: Voids): boolean =>
  mayBeCancelled(order, providers) && order.statusReason !== 'outcome_unknown';
