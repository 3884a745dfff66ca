import { PluginCommonModule, type Type, VendurePlugin } from '@vendure/core';
import { raw } from 'express';
import { CatchUp, catchUpTask, cursorField } from './catch-up';
import { PaymentOrdersClient } from './client';
import { paymentOrdersHandler } from './handler';
import { OPTIONS, type PaymentOrdersOptions } from './options';
import { PaymentOrders } from './payment-orders';
import { PaymentOrdersController } from './payment-orders.controller';
import { awaitPayer, awaitPerson, closePaymentPage } from './processes';

/** Lets customers pay on the payment page of the payment order service. */
@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.7.0',
  controllers: [PaymentOrdersController],
  providers: [
    { provide: OPTIONS, useFactory: () => PaymentOrdersPlugin.options },
    {
      provide: PaymentOrdersClient,
      inject: [OPTIONS],
      useFactory: ({ serviceUrl, apiKey }: PaymentOrdersOptions) =>
        new PaymentOrdersClient(serviceUrl, apiKey),
    },
    PaymentOrders,
    CatchUp,
  ],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(paymentOrdersHandler);
    config.paymentOptions.process?.push(awaitPayer);
    config.paymentOptions.refundProcess?.push(awaitPerson);
    config.orderOptions.process?.push(closePaymentPage);
    config.schedulerOptions.tasks?.push(catchUpTask);
    config.settingsStoreFields = { ...config.settingsStoreFields, ...cursorField };
    config.apiOptions.middleware.push({
      route: '/payment-orders/webhook',
      handler: raw({ type: 'application/json' }),
      beforeListen: true,
    });
    return config;
  },
})
export class PaymentOrdersPlugin {
  static options: PaymentOrdersOptions;

  static init(options: PaymentOrdersOptions): Type<PaymentOrdersPlugin> {
    this.options = options;
    return PaymentOrdersPlugin;
  }
}
