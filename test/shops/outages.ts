import assert from 'node:assert/strict';
import { together, until } from '../support/race.js';
import { NOTEBOOK } from './shopper.js';
import {
  allDelivered,
  allOrdered,
  ended,
  help,
  noted,
  ordered,
  settled,
  states,
  type Stories,
} from './telling.js';
import type { World } from './world.js';

/** Longer than the first tries of a webhook. */
async function shopAway(world: World): Promise<void> {
  const orders = await together(() => world.shopper().checkOut(NOTEBOOK), 5);
  const asked = await Promise.all(orders.map((order) => ordered(world, order)));
  await allDelivered(world);
  await world.shop.kill();
  await Promise.all(asked.map(({ txid }) => world.service.pay(txid)));
  const path = `/api/webhook-endpoint/${world.endpointId}`;
  await until('the shop is missed', async () => {
    const { body } = await world.service.call<{ failingSince: string | null }>('GET', path);
    return body.failingSince !== null;
  });
  await world.shop.start();
  for (const order of orders) await settled(world, order, 60);
  await allDelivered(world);
}

/** The shop's endpoint is switched off, so that it hears nothing of what is done. */
async function unheard({ service, endpointId }: World, deed: () => Promise<void>): Promise<void> {
  const path = `/api/webhook-endpoint/${endpointId}`;
  await service.call('PATCH', path, { enabled: false });
  try {
    await deed();
  } finally {
    await service.call('PATCH', path, { enabled: true });
  }
}

/** Late money of a payment that has ended: who looks at open payments alone does not find it. */
async function feedBehindWebhooks(world: World): Promise<void> {
  const { service, staff } = world;
  await staff.catchUp();
  await unheard(world, async () => {
    const order = await world.shopper().checkOut();
    const { txid } = await ordered(world, order);
    await service.pay(txid, { outcome: 'declined' });
    await help(world, txid, 'expire');
    await help(world, txid, 'late-payment');
    assert.equal(states(await staff.order(order.id)), 'Created');
    await staff.catchUp();
    await ended(world, order, 'Cancelled');
    await noted(world, order, /after the order had ended/);
  });
}

async function placeLost(world: World): Promise<void> {
  const { service, staff } = world;
  await unheard(world, async () => {
    const order = await world.shopper().checkOut();
    await service.pay((await ordered(world, order)).txid);
    await staff.losePlace();
    await staff.catchUp();
    await settled(world, order);
  });
}

async function payerBeforeWebhook(world: World): Promise<void> {
  await unheard(world, async () => {
    const order = await world.shopper().checkOut();
    const back = `${world.shop.url}/payment-orders/return/${order.code}`;
    await fetch(`${back}?status=paid`, { redirect: 'manual' });
    assert.equal((await world.staff.order(order.id)).state, 'ArrangingPayment');
    await world.service.pay((await ordered(world, order)).txid);
    const { status, headers } = await fetch(back, { redirect: 'manual' });
    const orderPage = `${world.shop.url}/?order=${order.code}`;
    assert.deepEqual([status, headers.get('location')], [303, orderPage]);
    assert.equal((await world.staff.order(order.id)).state, 'PaymentSettled');
  });
}

async function serviceAway(world: World): Promise<void> {
  const shopper = world.shopper();
  await shopper.fillCart();
  await shopper.moveTo('ArrangingPayment');
  for (const behaviour of ['cut', 'swallows'] as const) {
    world.line.behaviour = behaviour;
    await assert.rejects(shopper.pay(), /cannot be reached/);
  }
  world.line.behaviour = 'works';
  const order = await shopper.pay();
  const all = await allOrdered(world, order);
  assert.deepEqual(
    all.map(({ orderMerchantId }) => orderMerchantId),
    [`${order.code}-1`],
  );
  world.line.behaviour = 'cut';
  await assert.rejects(shopper.moveTo('AddingItems'), /cannot be reached/);
  world.line.behaviour = 'works';
  await world.service.pay(all[0]!.txid);
  assert.equal(states(await settled(world, order)), 'Settled');
}

/** The answer is lost, and then the customer takes one thing more. */
async function lostThenChanged(world: World): Promise<void> {
  const shopper = world.shopper();
  await shopper.fillCart();
  await shopper.moveTo('ArrangingPayment');
  world.line.behaviour = 'swallows';
  await assert.rejects(shopper.pay(), /cannot be reached/);
  world.line.behaviour = 'works';
  await shopper.moveTo('AddingItems');
  await shopper.add(NOTEBOOK);
  await shopper.moveTo('ArrangingPayment');
  const order = await shopper.pay();
  const all = await allOrdered(world, order);
  assert.deepEqual(
    all.map(({ status }) => status),
    ['cancelled', 'open'],
  );
  assert.equal(all[1]!.amount, order.totalWithTax);
  await world.service.pay(all[1]!.txid);
  await settled(world, order);
}

async function forged(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const data = { ...(await ordered(world, order)), status: 'paid', finished: true };
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date(), sequence: 99, data });
  const hook = `${world.shop.url}/payment-orders/webhook`;
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'forged',
    'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
    'webhook-signature': 'v1,bm90IGEgc2lnbmF0dXJl',
  };
  assert.equal((await fetch(hook, { method: 'POST', headers, body })).status, 400);
  const { 'webhook-signature': _, ...unsigned } = headers;
  assert.equal((await fetch(hook, { method: 'POST', headers: unsigned, body })).status, 400);
  const now = await world.staff.order(order.id);
  assert.deepEqual([now.state, states(now)], ['ArrangingPayment', 'Created']);
  await world.staff.cancelOrder(order.id);
}

/** `order.created` is here before the shop has the answer, and so before it has stored the order. */
async function webhookBeforeCommit(world: World): Promise<void> {
  const shopper = world.shopper();
  await shopper.fillCart();
  await shopper.moveTo('ArrangingPayment');
  world.line.behaviour = 'slow';
  const order = await shopper.pay().finally(() => (world.line.behaviour = 'works'));
  await allDelivered(world);
  await world.service.pay((await ordered(world, order)).txid);
  await settled(world, order);
}

/** As after a restored backup. Told last: the delivery waits on. */
async function unknownMoney(world: World): Promise<void> {
  const { service, endpointId } = world;
  await allDelivered(world);
  const stranger = await service.order();
  await service.pay(stranger.txid);
  const path = `/api/webhook-endpoint/${endpointId}/delivery`;
  type Delivery = Readonly<Record<'type' | 'status' | 'txid', string>> & { attemptCount: number };
  let found: readonly Delivery[] = [];
  await until('the shop was told of the money', async () => {
    const { body } = await service.call<{ data: Delivery[] }>('GET', path);
    found = body.data.filter(({ txid }) => txid === stranger.txid);
    return found.some(({ type, attemptCount }) => type === 'order.paid' && attemptCount > 0);
  });
  const statusOf = (type: string) => found.find((delivery) => delivery.type === type)?.status;
  assert.deepEqual([statusOf('order.created'), statusOf('order.paid')], ['delivered', 'pending']);
}

/** What networks, processes and strangers do. */
export const OUTAGES: Stories = [
  ['the service cannot be reached at the checkout', serviceAway],
  ['an answer is lost, and then the cart changes', lostThenChanged],
  ['a webhook is faster than the shop’s commit', webhookBeforeCommit],
  ['the payer is faster than the webhook', payerBeforeWebhook],
  ['webhooks are off, the feed has all', feedBehindWebhooks],
  ['the shop has lost its place in the feed', placeLost],
  ['the shop is away for a while', shopAway],
  ['somebody forges a webhook', forged],
  ['money comes for an order that the shop does not know', unknownMoney],
];
