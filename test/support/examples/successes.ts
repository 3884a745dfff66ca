import { readEvents } from '../feed.js';
import { newOrder } from './new-order.js';
import { VALID } from './requests.js';
import type { Sent, Stage } from './stage.js';

/** A request that succeeds, and is shown with its answer. */
export interface Success {
  readonly name: string;
  /** Prepares what the request needs, and tells the request. */
  readonly of: (stage: Stage) => Promise<Sent>;
  readonly status?: number;
  /** Its body illustrates the operation's request, too. */
  readonly showsRequest?: true;
}

const PAYER = {
  payerAccountNumber: 'DE89370400440532013000',
  payerAccountName: 'Erika Mustermann',
};

const COMPLETE = {
  description: 'Two lamps',
  customer: { name: 'Erika Mustermann', email: 'erika@example.com' },
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/basket',
  locale: 'de-AT',
  expiresInMinutes: 120,
  optionalFields: { table: '7', colour: 'green' },
};

async function paidOrder(stage: Stage): Promise<string> {
  const txid = await stage.order(COMPLETE);
  stage.app.clock.advance(95_000);
  await stage.shop.pay(txid, PAYER);
  return txid;
}

const create = async (body: Record<string, unknown>): Promise<Sent> => ({
  method: 'POST',
  path: '/api/order',
  body,
});

const simulate = (name: string, body: Record<string, unknown>): Success => ({
  name,
  showsRequest: true,
  of: async (stage) => ({
    method: 'POST',
    path: `/api/test-helpers/order/${await stage.order()}/payment`,
    body,
  }),
});

/** What is shown of each operation when all goes well. */
export const SUCCESSES: Readonly<Record<string, readonly Success[]>> = {
  createOrder: [
    { name: 'complete', status: 201, showsRequest: true, of: () => create(newOrder(COMPLETE)) },
    { name: 'minimal', status: 201, showsRequest: true, of: () => create(newOrder()) },
    {
      name: 'repeated',
      of: async (stage) => {
        const sent = await create(newOrder());
        await stage.send(sent);
        return sent;
      },
    },
  ],
  getOrder: [
    { name: 'open', of: VALID['getOrder']! },
    {
      name: 'paid',
      of: async (stage) => ({ method: 'GET', path: `/api/order?txid=${await paidOrder(stage)}` }),
    },
  ],
  searchOrders: [
    {
      name: 'found',
      of: async (stage) => ({
        method: 'GET',
        path: `/api/order/search?status=paid,open&txid=${await paidOrder(stage)}`,
      }),
    },
  ],
  getOrderByTxid: [{ name: 'open', of: VALID['getOrderByTxid']! }],
  updateOrder: [{ name: 'changed', showsRequest: true, of: VALID['updateOrder']! }],
  cancelOrder: [{ name: 'cancelled', of: VALID['cancelOrder']! }],
  getOrderStatus: [
    { name: 'open', of: VALID['getOrderStatus']! },
    {
      name: 'paid',
      of: async (stage) => ({
        method: 'GET',
        path: `/api/order/status?orderTransactionId=${await paidOrder(stage)}`,
      }),
    },
  ],
  getOrderStatusByTxid: [{ name: 'open', of: VALID['getOrderStatusByTxid']! }],
  listPayouts: [
    { name: 'page', of: VALID['listPayouts']! },
    {
      name: 'paid',
      of: async (stage) => ({
        method: 'GET',
        path: '/api/payout?status=paid,returned',
        client: (await stage.payee).shop,
      }),
    },
  ],
  getPayout: [{ name: 'paid', of: VALID['getPayout']! }],
  listPayoutLines: [{ name: 'page', of: VALID['listPayoutLines']! }],
  getBalance: [{ name: 'balance', of: VALID['getBalance']! }],
  listEvents: [
    {
      name: 'events',
      of: async (stage) => {
        await stage.order();
        const { body } = await readEvents(stage.shop, { after: 'latest' });
        await paidOrder(stage);
        return { method: 'GET', path: `/api/event?after=${body.next!}&limit=2` };
      },
    },
    {
      name: 'payouts',
      of: async (stage) => ({
        method: 'GET',
        path: '/api/event?type=payout.paid',
        client: (await stage.payee).shop,
      }),
    },
    { name: 'end', of: VALID['listEvents']! },
  ],
  createNotificationRecipient: [
    {
      name: 'complete',
      status: 201,
      showsRequest: true,
      of: async () => ({
        method: 'POST',
        path: '/api/notification-recipient',
        body: {
          email: 'accounts@shop.example',
          locale: 'de-AT',
          timeZone: 'Europe/Vienna',
          minimumAmount: 5000,
        },
      }),
    },
    {
      name: 'repeated',
      of: async (stage) => {
        const sent = {
          method: 'POST',
          path: '/api/notification-recipient',
          body: { email: 'accounts@shop.example' },
        };
        await stage.send(sent);
        return sent;
      },
    },
  ],
  listNotificationRecipients: [{ name: 'all', of: VALID['listNotificationRecipients']! }],
  getNotificationRecipient: [{ name: 'confirmed', of: VALID['getNotificationRecipient']! }],
  changeNotificationRecipient: [
    { name: 'changed', showsRequest: true, of: VALID['changeNotificationRecipient']! },
  ],
  testNotificationRecipient: [
    { name: 'queued', status: 202, of: VALID['testNotificationRecipient']! },
  ],
  deleteNotificationRecipient: [
    { name: 'deleted', status: 204, of: VALID['deleteNotificationRecipient']! },
  ],
  createWebhookEndpoint: [
    { name: 'created', status: 201, showsRequest: true, of: VALID['createWebhookEndpoint']! },
  ],
  listWebhookEndpoints: [{ name: 'all', of: VALID['listWebhookEndpoints']! }],
  getWebhookEndpoint: [{ name: 'enabled', of: VALID['getWebhookEndpoint']! }],
  changeWebhookEndpoint: [
    { name: 'changed', showsRequest: true, of: VALID['changeWebhookEndpoint']! },
  ],
  deleteWebhookEndpoint: [{ name: 'deleted', status: 204, of: VALID['deleteWebhookEndpoint']! }],
  rollWebhookSecret: [{ name: 'rolled', showsRequest: true, of: VALID['rollWebhookSecret']! }],
  testWebhookEndpoint: [{ name: 'queued', status: 202, of: VALID['testWebhookEndpoint']! }],
  listWebhookDeliveries: [{ name: 'page', of: VALID['listWebhookDeliveries']! }],
  getWebhookDelivery: [{ name: 'waiting', of: VALID['getWebhookDelivery']! }],
  resendWebhookDelivery: [{ name: 'queued', status: 202, of: VALID['resendWebhookDelivery']! }],
  resendWebhookEvents: [
    { name: 'queued', status: 202, showsRequest: true, of: VALID['resendWebhookEvents']! },
  ],
  createRefund: [
    { name: 'part', status: 201, showsRequest: true, of: VALID['createRefund']! },
    {
      name: 'repeated',
      of: async (stage) => {
        const sent = await VALID['createRefund']!(stage);
        await stage.send(sent);
        return sent;
      },
    },
  ],
  listRefunds: [{ name: 'page', of: VALID['listRefunds']! }],
  getRefund: [{ name: 'approved', of: VALID['getRefund']! }],
  getRefundPayerLink: [{ name: 'link', of: VALID['getRefundPayerLink']! }],
  cancelRefund: [{ name: 'cancelled', of: VALID['cancelRefund']! }],
  simulateRefund: [{ name: 'succeeded', showsRequest: true, of: VALID['simulateRefund']! }],
  simulatePayment: [
    simulate('paid', { outcome: 'paid', ...PAYER }),
    simulate('declined', { outcome: 'declined', declineCode: 'insufficient_funds' }),
    simulate('pending', { outcome: 'pending', afterSeconds: 30 }),
    simulate('unknown', { outcome: 'unknown' }),
    simulate('underpaid', { outcome: 'paid', amount: 5000 }),
  ],
  simulateLatePayment: [
    { name: 'paid late', showsRequest: true, of: VALID['simulateLatePayment']! },
  ],
  simulateExpiry: [{ name: 'expired', of: VALID['simulateExpiry']! }],
  simulateCancellation: [{ name: 'cancelled', of: VALID['simulateCancellation']! }],
  simulateAcceptance: [{ name: 'accepted', of: VALID['simulateAcceptance']! }],
};
