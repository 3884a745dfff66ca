import type { OrderWithPayment } from '../database/orders/order.entity.js';

/** Who knows which providers can stop a live payment. */
export interface Voids {
  canVoid(provider: string): boolean;
}

type Cancelled = Pick<OrderWithPayment, 'status' | 'statusReason' | 'payment'>;

/** Whether a cancellation can be tried: nobody pays, or whoever moves the money may still stop it. */
export function mayBeCancelled({ status, payment }: Cancelled, providers: Voids): boolean {
  if (status === 'open') return true;
  return status === 'processing' && providers.canVoid(payment?.provider ?? '');
}

/** Whether it will succeed, as far as is known: a provider that has gone silent is not believed to stop anything. */
export const isCancelable = (order: Cancelled, providers: Voids): boolean =>
  mayBeCancelled(order, providers) && order.statusReason !== 'outcome_unknown';
