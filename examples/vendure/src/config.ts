import path from 'node:path';
import {
  DefaultLogger,
  DefaultSchedulerPlugin,
  LogLevel,
  NativeAuthenticationStrategy,
  type VendureConfig,
} from '@vendure/core';
import { static as files } from 'express';
import { PaymentOrdersPlugin } from './payment-orders/plugin';
import { setting } from './settings';

const port = Number(setting('PORT', '3001'));
const shopUrl = setting('SHOP_URL', `http://127.0.0.1:${port}`);

export const config: VendureConfig = {
  logger: new DefaultLogger({ level: LogLevel.Warn, timestamp: false }),
  apiOptions: {
    hostname: '127.0.0.1',
    port,
    cors: false,
    csrfPrevention: true,
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
    middleware: [
      { route: '/', handler: files(path.resolve(__dirname, '../storefront')), beforeListen: true },
    ],
  },
  authOptions: {
    tokenMethod: ['cookie', 'bearer'],
    cookieOptions: { secret: setting('COOKIE_SECRET', 'only for trying out') },
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
    shopAuthenticationStrategy: [new NativeAuthenticationStrategy()],
  },
  dbConnectionOptions: {
    type: 'postgres',
    url: setting('SHOP_DATABASE_URL'),
    // A shop of your own makes its tables with migrations.
    synchronize: true,
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [] },
  schedulerOptions: { runTasksInWorkerOnly: false },
  plugins: [
    DefaultSchedulerPlugin.init({}),
    PaymentOrdersPlugin.init({
      serviceUrl: setting('PAYMENT_ORDERS_URL', 'http://127.0.0.1:3000'),
      apiKey: setting('PAYMENT_ORDERS_KEY'),
      webhookSecret: setting('PAYMENT_ORDERS_WEBHOOK_SECRET'),
      shopUrl,
      orderPage: (code) => `${shopUrl}/?order=${code}`,
    }),
  ],
};
