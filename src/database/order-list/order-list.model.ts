import type { Mode } from '../merchants/api-key.entity.js';
import type { ExceptionFilter, Order, OrderStatus } from '../orders/order.entity.js';
import type { Payment } from '../payments/payment.entity.js';
import type { Payout, PayoutStatus } from '../payouts/payout.entity.js';

/** What the list, its counts and the file show. Null and an empty list leave everything in. */
export interface OrderFilter {
  /** Which time `from`, `until` and the order of rows mean. Orders that are not paid have one only. */
  readonly basis: 'created' | 'paid';
  readonly from: Date | null;
  /** The first moment that is not meant any more. */
  readonly until: Date | null;
  readonly statuses: readonly OrderStatus[];
  /** Minor units of `currency`. */
  readonly amountFrom: number | null;
  /** Minor units of `currency`, itself included. */
  readonly amountTo: number | null;
  readonly currency: string | null;
  readonly provider: string | null;
  readonly exception: ExceptionFilter | null;
  readonly field: { readonly name: string; readonly value: string } | null;
  /** A payout's id: the orders that it pays, or was to pay. */
  readonly payout: string | null;
  /** One identifier, a payer's name or its beginning, or an amount. */
  readonly search: string | null;
  /** A payer's name or its beginning, account, or the last characters of that. */
  readonly payer: string | null;
  /** The whole address, in any case. */
  readonly customerEmail: string | null;
  /** Only these orders; null = any, as with `orderMerchantIds`. */
  readonly txids: readonly string[] | null;
  readonly orderMerchantIds: readonly string[] | null;
  /** How much of people the reader knows anyway: the search finds nobody by more. */
  readonly payerSight: 'full' | 'masked' | 'none';
}

/** Everything, by the time of creation. */
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

/** The place of a row in the list. */
export interface OrderCursor {
  /** Of the filter's basis. */
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

/** A line of the list. */
export type ListedOrder = Pick<Order, (typeof ROW_OF_ORDER)[number]> & {
  readonly merchantName: string;
  /** What pays the order now. */
  readonly payoutId: Payout['id'] | null;
  readonly payoutStatus: PayoutStatus | null;
  /** Null until a payer chose a method. */
  readonly payment: Pick<Payment, (typeof ROW_OF_PAYMENT)[number]> | null;
};
