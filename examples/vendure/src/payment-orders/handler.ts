import { type Injector, LanguageCode, PaymentMethodHandler } from '@vendure/core';
import { PaymentOrders } from './payment-orders';

let paymentOrders: PaymentOrders;

/** Vendure's door to a payment: whoever creates, settles, cancels or refunds one comes through here. */
export const paymentOrdersHandler = new PaymentMethodHandler({
  code: 'payment-orders',
  description: [{ languageCode: LanguageCode.en, value: 'Payment page' }],
  args: {},
  init: (injector: Injector) => {
    paymentOrders = injector.get(PaymentOrders);
  },
  createPayment: (ctx, order) => paymentOrders.begin(ctx, order),
  settlePayment: (_ctx, _order, payment) => paymentOrders.confirmPaid(payment),
  cancelPayment: (_ctx, _order, payment) => paymentOrders.end(payment),
  createRefund: (ctx, _input, amount, order, payment) =>
    paymentOrders.askForRefund(ctx, amount, order, payment),
});
