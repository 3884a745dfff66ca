import { firstValuesOf } from '../entity-sql.js';
import { Order, type OrderWithPayment } from './order.entity.js';

/** What a new order is made of; the rest has its first value. */
export const NEW_ORDER = [
  'merchantId',
  'txid',
  'mode',
  'orderMerchantId',
  'contentHash',
  'amount',
  'currency',
  'description',
  'customerName',
  'customerEmail',
  'optionalFields',
  'pageToken',
  'returnUrl',
  'cancelUrl',
  'locale',
  'createdAt',
  'expiresAt',
] as const;

export type NewOrder = Pick<Order, (typeof NEW_ORDER)[number]>;

const FIRST_VALUES = firstValuesOf(Order);

/** The order that the database makes of it. */
export const asStored = (order: NewOrder): OrderWithPayment => ({
  ...FIRST_VALUES,
  ...order,
  status: 'open',
  updatedAt: order.createdAt,
  payment: null,
});
