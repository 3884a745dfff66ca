import { uuidv7 } from '../../common/ids.js';
import type { NewTransfer } from '../ledger/ledger.repository.js';
import type { Order } from '../orders/order.entity.js';
import type { NewEvent } from '../orders/order.repository.js';
import { PAYMENT_PREFIX } from '../orders/order.rows.js';
import { ORDER_PREFIX, PAID_ORDER, PAID_PAYMENT } from './paid-orders.statements.js';
import type { PricedPayment } from './payment.rows.js';

/** An order and its pending payment. */
export interface WaitingOrder {
  readonly order: Order;
  readonly payment: PricedPayment;
}

/** An order paid in full by a payment: its previous state, and the changes of order, payment and ledger. */
export interface PaidOrder {
  readonly before: Order;
  readonly order: Pick<Order, (typeof PAID_ORDER)[number]>;
  readonly payment: PricedPayment;
  readonly event: NewEvent;
  readonly transfers: readonly NewTransfer[];
}

/** The changes as JSON for the statement. */
export function paidRow(
  { before, order, payment, event, transfers }: PaidOrder,
  receivedAt: Date,
): Record<string, unknown> {
  const { merchantId, mode, txid, version } = before;
  const row: Record<string, unknown> = { merchantId, mode, txid, receivedAt };
  for (const name of PAID_ORDER) row[ORDER_PREFIX + name] = order[name];
  for (const name of PAID_PAYMENT) row[PAYMENT_PREFIX + name] = payment[name];
  const ms = receivedAt.getTime();
  return Object.assign(row, {
    paymentId: payment.id,
    versionBefore: version,
    eventId: uuidv7(order.updatedAt.getTime()),
    eventType: event.type,
    eventData: event.data,
    transfers: transfers.map((transfer) => ({ ...transfer, id: uuidv7(ms) })),
  });
}
