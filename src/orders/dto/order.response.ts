import { isCancelable } from '../../status/cancelable.js';
import { isFinished } from '../../status/transitions.js';
import type { Order, OrderWithPayment } from '../../database/entities/order.entity.js';
import type { Payment } from '../../database/entities/payment.entity.js';

const rfc3339 = (moment: Date | null): string | null => moment && moment.toISOString();

/** The payment object in the newest contract. A whitelist: a new column stays private by default. */
export const paymentResponse = (payment: Payment) => ({
  id: payment.id,
  provider: payment.provider,
  method: payment.method,
  status: payment.status,
  amount: payment.amountReceived ?? payment.amount,
  currency: payment.receivedCurrency ?? payment.currency,
  providerReference: payment.providerReference,
  createdAt: rfc3339(payment.createdAt),
  completedAt: rfc3339(payment.completedAt),
  error:
    payment.errorCode === null
      ? null
      : { code: payment.errorCode, message: payment.errorMessage ?? payment.errorCode },
  payerAccountNumber: payment.payerAccountNumber,
  payerAccountType: payment.payerAccountType,
  payerAccountName: payment.payerAccountName,
});

/** The facts about an order that are not in its row. */
export interface OrderFacts {
  readonly publicUrl: string;
  /** Whether a live payment of the provider can be stopped. */
  readonly canVoid: (provider: string) => boolean;
}

export const paymentPageUrl = (publicUrl: string, order: Pick<Order, 'pageToken'>): string =>
  `${publicUrl}/pay/${order.pageToken}`;

/** The order in the newest contract. */
export const orderResponse = (order: OrderWithPayment, facts: OrderFacts) => ({
  txid: order.txid,
  orderMerchantId: order.orderMerchantId,
  mode: order.mode,
  status: order.status,
  statusReason: order.statusReason,
  finished: isFinished(order.status),
  cancelable: isCancelable(order, facts.canVoid),
  exception: order.exception,
  amount: order.amount,
  currency: order.currency,
  amountReceived: order.amountReceived,
  amountRefunded: order.amountRefunded,
  description: order.description,
  customer:
    order.customerName === null && order.customerEmail === null
      ? null
      : { name: order.customerName, email: order.customerEmail },
  optionalFields: order.optionalFields,
  paymentPageUrl: paymentPageUrl(facts.publicUrl, order),
  returnUrl: order.returnUrl,
  cancelUrl: order.cancelUrl,
  locale: order.locale,
  createdAt: rfc3339(order.createdAt),
  updatedAt: rfc3339(order.updatedAt),
  expiresAt: rfc3339(order.expiresAt),
  paidAt: rfc3339(order.paidAt),
  payment: order.payment && paymentResponse(order.payment),
});

export type OrderResponse = ReturnType<typeof orderResponse>;
