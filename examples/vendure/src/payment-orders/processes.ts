import { type Injector, type OrderProcess, type PaymentProcess } from '@vendure/core';
import { PaymentOrders } from './payment-orders';

let paymentOrders: PaymentOrders;

/** While a customer changes the cart, or once the order is cancelled, nobody can pay what it was. */
export const closePaymentPage: OrderProcess<never> = {
  init: (injector: Injector) => {
    paymentOrders = injector.get(PaymentOrders);
  },
  onTransitionStart: async (from, to, { ctx, order }) => {
    if (from !== 'ArrangingPayment' || (to !== 'AddingItems' && to !== 'Cancelled')) return;
    return paymentOrders.closePage(ctx, order);
  },
};

/** A payment that waits for the payer stays `Created`; by itself Vendure has every payment move on. */
export const awaitPayer: PaymentProcess<never> = {
  transitions: { Created: { to: ['Created'], mergeStrategy: 'merge' } } as never,
};

/** The same for a refund that waits for a person. */
export const awaitPerson = {
  transitions: { Pending: { to: ['Pending'], mergeStrategy: 'merge' } } as never,
};
