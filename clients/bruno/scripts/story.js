/** In which order the operations are called, and what each needs of those before it. */

const NEW_ORDER = `bru.setVar('orderMerchantId', 'BRUNO-' + Date.now());`;
const KEEP_ORDER = { txid: 'res.body.txid' };

const another = (name) => ({
  id: 'createOrder',
  name,
  before: NEW_ORDER,
  given: { body: { orderMerchantId: '{{orderMerchantId}}' } },
  keep: KEEP_ORDER,
});

/** There is none until people have asked for one in the portal. */
const PERHAPS = ['200', '404'];

export const STORY = [
  [
    "an order's life",
    [
      another('Create an order'),
      { id: 'getOrder', given: { query: { orderMerchantId: '{{orderMerchantId}}' } } },
      { id: 'simulatePayment', name: 'Pay it at the sandbox bank' },
      { id: 'getOrderStatus', given: { query: { orderTransactionId: '{{txid}}' } } },
      { id: 'searchOrders', given: { query: { status: 'paid', limit: '10' } } },
      { id: 'listEvents', given: { query: { txid: '{{txid}}' } } },
      another('Create another order'),
      { id: 'updateOrder' },
      { id: 'cancelOrder' },
      { id: 'getOrderByTxid' },
      { id: 'getOrderStatusByTxid' },
    ],
  ],
  [
    'other ends',
    [
      another('Create an order that expires'),
      { id: 'simulatePayment', name: 'Let its payment fail', given: { example: 'declined' } },
      { id: 'simulateExpiry' },
      { id: 'simulateLatePayment' },
      { id: 'simulateAcceptance' },
      another('Create an order that its payer cancels'),
      { id: 'simulateCancellation' },
    ],
  ],
  [
    'refunds',
    [
      another('Create an order to refund'),
      { id: 'simulatePayment', name: 'Pay the order to refund' },
      {
        id: 'createRefund',
        before: `bru.setVar('refundMerchantId', 'BRUNO-' + Date.now());`,
        given: { body: { refundMerchantId: '{{refundMerchantId}}' } },
        keep: { refund: 'res.body.id' },
      },
      { id: 'simulateRefund', given: { path: { id: '{{refund}}' } } },
      { id: 'getRefund', given: { path: { id: '{{refund}}' } } },
      { id: 'listRefunds', given: { query: { txid: '{{txid}}' } } },
      // The bank has it by now.
      // The sandbox bank knows the payer.
      { id: 'getRefundPayerLink', given: { path: { id: '{{refund}}' } }, expect: ['404'] },
      { id: 'cancelRefund', given: { path: { id: '{{refund}}' } }, expect: ['409'] },
    ],
  ],
  [
    'webhooks',
    [
      {
        id: 'createWebhookEndpoint',
        before: `bru.setVar('anHourAgo', new Date(Date.now() - 3600000).toISOString());`,
        keep: { endpoint: 'res.body.id' },
      },
      { id: 'listWebhookEndpoints' },
      { id: 'getWebhookEndpoint' },
      { id: 'changeWebhookEndpoint' },
      { id: 'rollWebhookSecret' },
      { id: 'testWebhookEndpoint' },
      { id: 'listWebhookDeliveries' },
      { id: 'getWebhookDelivery' },
      { id: 'resendWebhookDelivery' },
      { id: 'resendWebhookEvents', given: { body: { from: '{{anHourAgo}}' } } },
      { id: 'deleteWebhookEndpoint', given: { path: { id: '{{endpoint}}' } } },
    ],
  ],
  [
    'recipients of mails',
    [
      {
        id: 'createNotificationRecipient',
        before: `bru.setVar('mailbox', 'bruno-' + Date.now() + '@shop.example');`,
        given: { body: { email: '{{mailbox}}' } },
        keep: { recipient: 'res.body.id' },
      },
      { id: 'listNotificationRecipients' },
      { id: 'getNotificationRecipient' },
      { id: 'changeNotificationRecipient' },
      { id: 'testNotificationRecipient' },
      { id: 'deleteNotificationRecipient', given: { path: { id: '{{recipient}}' } } },
    ],
  ],
  [
    'payouts',
    [
      { id: 'getBalance' },
      { id: 'listPayouts' },
      { id: 'getPayout', expect: PERHAPS },
      { id: 'listPayoutLines', expect: PERHAPS },
    ],
  ],
];
