import type { Order } from '../orders/order.entity.js';
import { withPayment } from '../orders/order.rows.js';
import { type PaidOrder, paidRow, type WaitingOrder } from '../payments/paid-order.js';
import type { Payment } from '../payments/payment.entity.js';
import type { PricedPayment } from '../payments/payment.rows.js';
import type { ProviderEvent } from './provider-event.entity.js';
import { NEW_EVENT } from './provider-event-store.statements.js';

/** Maps a row of `WAITING_ORDER`. */
export function waitingOrder({ price, ...row }: Readonly<Record<string, unknown>>): WaitingOrder {
  const { payment, ...order } = withPayment<Order & { readonly payment: Payment | null }>(row);
  return { order, payment: { ...payment!, price: price as PricedPayment['price'] } };
}

/** A message as JSON for the statement. */
export function messageRow(
  event: Pick<ProviderEvent, (typeof NEW_EVENT)[number]>,
  paid: PaidOrder | null,
): object {
  const row = paid ? paidRow(paid, event.receivedAt) : {};
  for (const name of NEW_EVENT) row[name] = event[name];
  return row;
}
