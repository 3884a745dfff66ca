import type { Mode } from './merchants/api-key.entity.js';
import type { Order } from './orders/order.entity.js';
import type { Payment } from './payments/payment.entity.js';
import type { Payout } from './payouts/payout.entity.js';

/** Whose rows are meant: those of one merchant, in one mode. */
export interface Owner {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** Names one order of a merchant; whoever has it has read the order, and so knows its mode. */
export type OrderKey = Pick<Order, 'merchantId' | 'txid'>;
export type PaymentKey = Pick<Payment, 'merchantId' | 'id'>;
export type PayoutKey = Pick<Payout, 'merchantId' | 'id'>;

/** One merchant's money of one currency. */
export interface BalanceKey extends Owner {
  readonly currency: string;
}
