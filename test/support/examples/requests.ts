import { pageOf, press, RECIPIENTS } from '../mailbox.js';
import { newOrder, nextOrderName } from './new-order.js';
import type { Payee } from './payee.js';
import type { Sent, Stage } from './stage.js';
import { paidUnnamed } from '../bank-refunds.js';

/** A new recipient that has confirmed, and the only one of the stage's shop. */
async function confirmedRecipient(stage: Stage): Promise<string> {
  const list = (await stage.send({ method: 'GET', path: RECIPIENTS })).body;
  for (const { id } of (list as { data: { id: string }[] }).data) {
    await stage.send({ method: 'DELETE', path: `${RECIPIENTS}/${id}` });
  }
  const email = 'orders@shop.example';
  const { body } = await stage.send({ method: 'POST', path: RECIPIENTS, body: { email } });
  const { id } = body as { id: string };
  await press(`${await pageOf(stage.app, id)}/confirm`);
  return `${RECIPIENTS}/${id}`;
}

let mailboxes = 0;
export const newRecipient = (): Sent => ({
  method: 'POST',
  path: RECIPIENTS,
  body: { email: `box-${++mailboxes}@shop.example` },
});

export const ENDPOINTS = '/api/webhook-endpoint';
export const newEndpoint = (): Sent => ({
  method: 'POST',
  path: ENDPOINTS,
  body: { url: 'https://shop.example/events', eventTypes: ['order.paid'] },
});

/** A new webhook endpoint, and the only one of the stage's shop. */
async function onlyEndpoint(stage: Stage): Promise<string> {
  const list = (await stage.send({ method: 'GET', path: ENDPOINTS })).body;
  for (const { id } of (list as { data: { id: string }[] }).data) {
    await stage.send({ method: 'DELETE', path: `${ENDPOINTS}/${id}` });
  }
  const { body } = await stage.send(newEndpoint());
  return `${ENDPOINTS}/${(body as { id: string }).id}`;
}

/** A test event that nobody has sent yet. */
async function onlyDelivery(stage: Stage): Promise<string> {
  const endpoint = await onlyEndpoint(stage);
  const { body } = await stage.send({ method: 'POST', path: `${endpoint}/test` });
  return `${endpoint}/delivery/${(body as { id: string }).id}`;
}

async function asPayee(stage: Stage, pathOf: (payee: Payee) => string): Promise<Sent> {
  const payee = await stage.payee;
  return { method: 'GET', path: pathOf(payee), client: payee.shop };
}

const helperOf = (txid: string, helper: string): string =>
  `/api/test-helpers/order/${txid}/${helper}`;

/** A cancelled order whose payer was at the bank. */
async function stoppedPayment(stage: Stage): Promise<string> {
  const txid = await stage.order();
  await stage.shop.pay(txid, { outcome: 'pending' });
  await stage.shop.cancel(txid);
  return txid;
}

/** A request that refunds a paid order. */
async function newRefund(stage: Stage): Promise<Sent> {
  const txid = await stage.order();
  await stage.shop.pay(txid);
  const body = { amount: 2990, reason: 'One lamp was broken', refundMerchantId: nextOrderName() };
  return { method: 'POST', path: `/api/order/${txid}/refund`, body };
}

async function madeRefund(stage: Stage): Promise<string> {
  const { body } = await stage.send(await newRefund(stage));
  return (body as { id: string }).id;
}

/** A request for each operation that succeeds as it stands. */
export const VALID: Readonly<Record<string, (stage: Stage) => Promise<Sent>>> = {
  createOrder: async () => ({ method: 'POST', path: '/api/order', body: newOrder() }),
  getOrder: async (stage) => ({ method: 'GET', path: `/api/order?txid=${await stage.order()}` }),
  searchOrders: async (stage) => ({
    method: 'GET',
    path: `/api/order/search?txid=${await stage.order()}`,
  }),
  getOrderByTxid: async (stage) => ({ method: 'GET', path: `/api/order/${await stage.order()}` }),
  updateOrder: async (stage) => ({
    method: 'PATCH',
    path: `/api/order/${await stage.order()}`,
    body: { amount: 9980, description: 'Two lamps and a bulb' },
  }),
  cancelOrder: async (stage) => ({ method: 'DELETE', path: `/api/order/${await stage.order()}` }),
  getOrderStatus: async (stage) => ({
    method: 'GET',
    path: `/api/order/status?orderTransactionId=${await stage.order()}`,
  }),
  getOrderStatusByTxid: async (stage) => ({
    method: 'GET',
    path: `/api/order/${await stage.order()}/status`,
  }),
  createNotificationRecipient: async () => newRecipient(),
  listNotificationRecipients: async (stage) => {
    await confirmedRecipient(stage);
    return { method: 'GET', path: RECIPIENTS };
  },
  getNotificationRecipient: async (stage) => ({
    method: 'GET',
    path: await confirmedRecipient(stage),
  }),
  changeNotificationRecipient: async (stage) => ({
    method: 'PATCH',
    path: await confirmedRecipient(stage),
    body: { timeZone: 'Europe/Berlin' },
  }),
  testNotificationRecipient: async (stage) => {
    const path = `${await confirmedRecipient(stage)}/test`;
    stage.app.clock.advance(60_000);
    return { method: 'POST', path };
  },
  deleteNotificationRecipient: async (stage) => ({
    method: 'DELETE',
    path: await confirmedRecipient(stage),
  }),
  createWebhookEndpoint: async (stage) => {
    await onlyEndpoint(stage);
    return newEndpoint();
  },
  listWebhookEndpoints: async (stage) => {
    await onlyEndpoint(stage);
    return { method: 'GET', path: ENDPOINTS };
  },
  getWebhookEndpoint: async (stage) => ({ method: 'GET', path: await onlyEndpoint(stage) }),
  changeWebhookEndpoint: async (stage) => ({
    method: 'PATCH',
    path: await onlyEndpoint(stage),
    body: { eventTypes: ['order.paid', 'order.exception'] },
  }),
  deleteWebhookEndpoint: async (stage) => ({ method: 'DELETE', path: await onlyEndpoint(stage) }),
  rollWebhookSecret: async (stage) => ({
    method: 'POST',
    path: `${await onlyEndpoint(stage)}/secret`,
    body: { overlapHours: 48 },
  }),
  testWebhookEndpoint: async (stage) => ({
    method: 'POST',
    path: `${await onlyEndpoint(stage)}/test`,
  }),
  listWebhookDeliveries: async (stage) => {
    const delivery = await onlyDelivery(stage);
    return { method: 'GET', path: delivery.slice(0, delivery.lastIndexOf('/')) };
  },
  getWebhookDelivery: async (stage) => ({ method: 'GET', path: await onlyDelivery(stage) }),
  resendWebhookDelivery: async (stage) => ({
    method: 'POST',
    path: `${await onlyDelivery(stage)}/resend`,
  }),
  resendWebhookEvents: async (stage) => ({
    method: 'POST',
    path: `${await onlyEndpoint(stage)}/resend`,
    body: { from: stage.app.clock.now().toISOString() },
  }),
  listPayouts: (stage) => asPayee(stage, () => '/api/payout'),
  getPayout: (stage) => asPayee(stage, ({ paid }) => `/api/payout/${paid}`),
  listPayoutLines: (stage) => asPayee(stage, ({ paid }) => `/api/payout/${paid}/line`),
  getBalance: (stage) => asPayee(stage, () => '/api/balance'),
  listEvents: async (stage) => {
    await stage.order();
    return { method: 'GET', path: '/api/event?after=latest' };
  },
  createRefund: newRefund,
  listRefunds: async (stage) => {
    await madeRefund(stage);
    return { method: 'GET', path: '/api/refund?limit=1' };
  },
  getRefund: async (stage) => ({ method: 'GET', path: `/api/refund/${await madeRefund(stage)}` }),
  getRefundPayerLink: async (stage) => {
    const { txid } = await paidUnnamed(stage.app, stage.shop);
    const { body } = await stage.send({ method: 'POST', path: `/api/order/${txid}/refund` });
    const { id } = body as { id: string };
    return { method: 'GET', path: `/api/refund/${id}/payer-link` };
  },
  cancelRefund: async (stage) => ({
    method: 'DELETE',
    path: `/api/refund/${await madeRefund(stage)}`,
  }),
  simulateRefund: async (stage) => ({
    method: 'POST',
    path: `/api/test-helpers/refund/${await madeRefund(stage)}`,
    body: { outcome: 'succeeded' },
  }),
  simulatePayment: async (stage) => ({
    method: 'POST',
    path: helperOf(await stage.order(), 'payment'),
    body: { outcome: 'paid' },
  }),
  simulateLatePayment: async (stage) => ({
    method: 'POST',
    path: helperOf(await stoppedPayment(stage), 'late-payment'),
    body: { payerAccountType: 'masked_card' },
  }),
  simulateExpiry: async (stage) => {
    const txid = await stage.order();
    stage.app.clock.advance(1_000);
    return { method: 'POST', path: helperOf(txid, 'expire') };
  },
  simulateCancellation: async (stage) => ({
    method: 'POST',
    path: helperOf(await stage.order(), 'cancel'),
  }),
  simulateAcceptance: async (stage) => {
    const txid = await stoppedPayment(stage);
    await stage.send({ method: 'POST', path: helperOf(txid, 'late-payment') });
    return { method: 'POST', path: helperOf(txid, 'accept') };
  },
};
