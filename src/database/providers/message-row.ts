import { uuidv7 } from '../../common/ids.js';
import type { NewTransfer } from '../ledger/ledger.repository.js';
import type { Order } from '../orders/order.entity.js';
import type { NewEvent } from '../orders/order.repository.js';
import { PAYMENT_PREFIX, withPayment } from '../orders/order.rows.js';
import type { Payment } from '../payments/payment.entity.js';
import type { PricedPayment } from '../payments/payment.rows.js';
import type { ProviderEvent } from './provider-event.entity.js';
import {
  NEW_EVENT,
  ORDER_PREFIX,
  PAID_ORDER,
  PAID_PAYMENT,
} from './provider-event-store.statements.js';

/** An order and the payment that it waits for. */
export interface WaitingOrder {
  readonly order: Order;
  readonly payment: PricedPayment;
}

/** An order that a message pays in full: as it was, and what becomes of it, of its payment and of the book. */
export interface PaidOrder {
  readonly before: Order;
  readonly order: Pick<Order, (typeof PAID_ORDER)[number]>;
  readonly payment: Pick<PricedPayment, (typeof PAID_PAYMENT)[number]>;
  readonly event: NewEvent;
  readonly transfers: readonly NewTransfer[];
}

/** A row of `WAITING_ORDER`. */
export function waitingOrder({ price, ...row }: Readonly<Record<string, unknown>>): WaitingOrder {
  const { payment, ...order } = withPayment<Order & { readonly payment: Payment | null }>(row);
  return { order, payment: { ...payment!, price: price as PricedPayment['price'] } };
}

/** What is written of one message, as JSON. */
export function messageRow(
  event: Pick<ProviderEvent, (typeof NEW_EVENT)[number]>,
  paid: PaidOrder | null,
): object {
  const row: Record<string, unknown> = {};
  for (const name of NEW_EVENT) row[name] = event[name];
  if (!paid) return row;
  const { before, order, payment, transfers } = paid;
  const ms = event.receivedAt.getTime();
  for (const name of PAID_ORDER) row[ORDER_PREFIX + name] = order[name];
  for (const name of PAID_PAYMENT) row[PAYMENT_PREFIX + name] = payment[name];
  return Object.assign(row, {
    txid: before.txid,
    versionBefore: before.version,
    eventId: uuidv7(order.updatedAt.getTime()),
    eventType: paid.event.type,
    eventData: paid.event.data,
    transfers: transfers.map((transfer) => ({ ...transfer, id: uuidv7(ms) })),
  });
}
