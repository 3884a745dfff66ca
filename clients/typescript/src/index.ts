export { type PageOptions, type PaymentOrders, paymentOrders } from './client.js';
export * from './errors.js';
export { API_VERSION } from './operations.js';
export type { components } from './schema.js';
export type { CallOptions, Settings } from './transport.js';
export type * from './types.js';
export { verifyWebhook, type WebhookHeaders } from './webhooks.js';
