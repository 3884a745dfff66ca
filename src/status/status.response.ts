import type { OrderStatusRow } from '../database/repositories/order.repository.js';
import { isFinished } from './transitions.js';

/** The status object, the same in every contract. */
export const statusResponse = (order: OrderStatusRow) => ({
  txid: order.txid,
  orderMerchantId: order.orderMerchantId,
  status: order.status,
  statusReason: order.statusReason,
  finished: isFinished(order.status),
  exception: order.exception,
  amount: order.amount,
  currency: order.currency,
  amountReceived: order.amountReceived,
  paidAt: order.paidAt && order.paidAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

export type StatusResponse = ReturnType<typeof statusResponse>;
