import type { Mode } from './merchants/api-key.entity.js';
import type { Order } from './orders/order.entity.js';
import type { Payment } from './payments/payment.entity.js';
import type { Payout } from './payouts/payout.entity.js';

/** Owner of rows: a merchant and mode. */
export interface Owner {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** Key of an order. It needs no mode, because its holder has read the order. */
export type OrderKey = Pick<Order, 'merchantId' | 'txid'>;
export type PaymentKey = Pick<Payment, 'merchantId' | 'id'>;
export type PayoutKey = Pick<Payout, 'merchantId' | 'id'>;

/** A merchant's balance in one mode and currency. */
export interface BalanceKey extends Owner {
  readonly currency: string;
}
