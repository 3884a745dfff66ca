// Made from the OpenAPI document of the service by "npm run clients": changes here are lost.

/** The version of the contract that these types describe. */
export const API_VERSION = '1.3';

/** Where each operation is, what it takes in the query, and whether it takes an Idempotency-Key. */
export const OPERATIONS = {
  createOrder: {"method":"POST","path":"/api/order","query":[],"isKeyed":true},
  getOrder: {"method":"GET","path":"/api/order","query":["orderMerchantId","txid"],"isKeyed":false},
  updateOrder: {"method":"PATCH","path":"/api/order/{txid}","query":[],"isKeyed":true},
  cancelOrder: {"method":"DELETE","path":"/api/order/{txid}","query":[],"isKeyed":true},
  searchOrders: {"method":"GET","path":"/api/order/search","query":["txid","orderMerchantId","status","exception","basis","from","to","currency","amountFrom","amountTo","provider","payer","customerEmail","field","payout","q","sort","after","limit"],"isKeyed":false},
  getOrderStatus: {"method":"GET","path":"/api/order/status","query":["orderMerchantId","orderTransactionId"],"isKeyed":false},
  listPayouts: {"method":"GET","path":"/api/payout","query":["after","status","limit"],"isKeyed":false},
  getPayout: {"method":"GET","path":"/api/payout/{id}","query":[],"isKeyed":false},
  listPayoutLines: {"method":"GET","path":"/api/payout/{id}/line","query":["after","limit"],"isKeyed":false},
  getBalance: {"method":"GET","path":"/api/balance","query":[],"isKeyed":false},
  listEvents: {"method":"GET","path":"/api/event","query":["after","limit","type","from","txid"],"isKeyed":false},
  createWebhookEndpoint: {"method":"POST","path":"/api/webhook-endpoint","query":[],"isKeyed":false},
  listWebhookEndpoints: {"method":"GET","path":"/api/webhook-endpoint","query":[],"isKeyed":false},
  getWebhookEndpoint: {"method":"GET","path":"/api/webhook-endpoint/{id}","query":[],"isKeyed":false},
  changeWebhookEndpoint: {"method":"PATCH","path":"/api/webhook-endpoint/{id}","query":[],"isKeyed":false},
  deleteWebhookEndpoint: {"method":"DELETE","path":"/api/webhook-endpoint/{id}","query":[],"isKeyed":false},
  rollWebhookSecret: {"method":"POST","path":"/api/webhook-endpoint/{id}/secret","query":[],"isKeyed":false},
  testWebhookEndpoint: {"method":"POST","path":"/api/webhook-endpoint/{id}/test","query":[],"isKeyed":false},
  listWebhookDeliveries: {"method":"GET","path":"/api/webhook-endpoint/{id}/delivery","query":["after","status","limit"],"isKeyed":false},
  getWebhookDelivery: {"method":"GET","path":"/api/webhook-endpoint/{id}/delivery/{deliveryId}","query":[],"isKeyed":false},
  resendWebhookDelivery: {"method":"POST","path":"/api/webhook-endpoint/{id}/delivery/{deliveryId}/resend","query":[],"isKeyed":false},
  resendWebhookEvents: {"method":"POST","path":"/api/webhook-endpoint/{id}/resend","query":[],"isKeyed":false},
  createNotificationRecipient: {"method":"POST","path":"/api/notification-recipient","query":[],"isKeyed":false},
  listNotificationRecipients: {"method":"GET","path":"/api/notification-recipient","query":[],"isKeyed":false},
  getNotificationRecipient: {"method":"GET","path":"/api/notification-recipient/{id}","query":[],"isKeyed":false},
  changeNotificationRecipient: {"method":"PATCH","path":"/api/notification-recipient/{id}","query":[],"isKeyed":false},
  deleteNotificationRecipient: {"method":"DELETE","path":"/api/notification-recipient/{id}","query":[],"isKeyed":false},
  testNotificationRecipient: {"method":"POST","path":"/api/notification-recipient/{id}/test","query":[],"isKeyed":false},
  simulatePayment: {"method":"POST","path":"/api/test-helpers/order/{txid}/payment","query":[],"isKeyed":false},
  simulateLatePayment: {"method":"POST","path":"/api/test-helpers/order/{txid}/late-payment","query":[],"isKeyed":false},
  simulateExpiry: {"method":"POST","path":"/api/test-helpers/order/{txid}/expire","query":[],"isKeyed":false},
  simulateCancellation: {"method":"POST","path":"/api/test-helpers/order/{txid}/cancel","query":[],"isKeyed":false},
  simulateAcceptance: {"method":"POST","path":"/api/test-helpers/order/{txid}/accept","query":[],"isKeyed":false},
} as const;
