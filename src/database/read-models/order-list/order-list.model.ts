import type { Mode } from '../../merchants/api-key.entity.js';
import type { ExceptionFilter, Order, OrderStatus } from '../../orders/order.entity.js';
import type { Payment } from '../../payments/payment.entity.js';
import type { Payout, PayoutStatus } from '../../payouts/payout.entity.js';

/** Filter of the list, its counts and exports. Null and empty lists do not filter. */
export interface OrderFilter {
  /** Time to which `from`, `until` and the sort order refer. Unpaid orders only have a creation time. */
  readonly basis: 'created' | 'paid';
  readonly from: Date | null;
  /** End of the period, exclusive. */
  readonly until: Date | null;
  readonly statuses: readonly OrderStatus[];
  /** Minor units of `currency`. */
  readonly amountFrom: number | null;
  /** Minor units of `currency`, inclusive. */
  readonly amountTo: number | null;
  readonly currency: string | null;
  readonly provider: string | null;
  readonly exception: ExceptionFilter | null;
  readonly field: { readonly name: string; readonly value: string } | null;
  /** A payout's id: the orders of its lines, paid or not. */
  readonly payout: string | null;
  /** An identifier, a payer's name or its prefix, or an amount. */
  readonly search: string | null;
  /** A payer's name or its prefix, an account, or its last characters. */
  readonly payer: string | null;
  /** The whole address, case-insensitive. */
  readonly customerEmail: string | null;
  /** Only these orders; null = all, also for `orderMerchantIds`. */
  readonly txids: readonly string[] | null;
  readonly orderMerchantIds: readonly string[] | null;
  /** How much personal data the reader may see; the search uses no more than that. */
  readonly payerSight: 'full' | 'masked' | 'none';
}

/** Matches all orders, by creation time. */
export const NO_FILTER: OrderFilter = {
  basis: 'created',
  from: null,
  until: null,
  statuses: [],
  amountFrom: null,
  amountTo: null,
  currency: null,
  provider: null,
  exception: null,
  field: null,
  payout: null,
  search: null,
  payer: null,
  customerEmail: null,
  txids: null,
  orderMerchantIds: null,
  payerSight: 'none',
};

export interface OrderScope {
  /** Null = all merchants. */
  readonly merchantId: string | null;
  readonly mode: Mode;
}

/** Position of a row in the list. */
export interface OrderCursor {
  /** Time by the filter's basis. */
  readonly time: Date;
  readonly txid: string;
}

export const ROW_OF_ORDER = [
  'merchantId',
  'txid',
  'mode',
  'orderMerchantId',
  'status',
  'exception',
  'amount',
  'currency',
  'amountReceived',
  'amountRefunded',
  'customerName',
  'customerEmail',
  'createdAt',
  'paidAt',
] as const;

export const ROW_OF_PAYMENT = [
  'id',
  'provider',
  'payerAccountNumber',
  'payerAccountType',
  'payerAccountName',
] as const;

/** A row of the list. */
export type ListedOrder = Pick<Order, (typeof ROW_OF_ORDER)[number]> & {
  readonly merchantName: string;
  /** The current payout of the order. */
  readonly payoutId: Payout['id'] | null;
  readonly payoutStatus: PayoutStatus | null;
  /** Null until the payer chooses a method. */
  readonly payment: Pick<Payment, (typeof ROW_OF_PAYMENT)[number]> | null;
};
