import assert from 'node:assert/strict';
import type { OrderJson } from '../support/client.js';
import { together } from '../support/race.js';
import { Payer } from './payer.js';
import { LAMP, NOTEBOOK, pageOf, type Shopper, type ShopOrder } from './shopper.js';
import {
  allOrdered,
  ended,
  help,
  noted,
  ordered,
  PART,
  settled,
  states,
  UNDER_WAY,
  type Stories,
} from './telling.js';
import type { World } from './world.js';

async function checkout(world: World): Promise<void> {
  const payer = await Payer.at(world, world.shop.url);
  const { page } = payer;
  await page.click('text=Desk lamp >> button');
  await page.waitForURL(/\/pay\//);
  await payer.pay();
  await payer.sees('paid');
  await payer.goBack();
  await page.waitForSelector('[data-state=PaymentSettled]');
  const code = new URL(page.url()).searchParams.get('order')!;
  await page.close();
  const [order] = (
    await world.service.call<{ data: OrderJson[] }>(
      'GET',
      `/api/order/search?orderMerchantId=${code}-1`,
    )
  ).body.data;
  assert.equal(order?.status, 'paid');
  assert.deepEqual(Object.keys(order?.['optionalFields'] as object), ['channel']);
}

async function declinedThenPaid(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const payer = await Payer.at(world, pageOf(order));
  await payer.pay('declined');
  await payer.sees('declined');
  assert.equal(states(await world.staff.order(order.id)), 'Created');
  await payer.pay();
  await payer.sees('paid');
  await payer.close();
  assert.equal(states(await settled(world, order)), 'Settled');
  assert.equal((await ordered(world, order)).status, 'paid');
}

async function failedThenAnother(world: World): Promise<void> {
  const shopper = world.shopper();
  const order = await shopper.checkOut();
  const { txid } = await ordered(world, order);
  for (let attempt = 0; attempt < 10; attempt++)
    await world.service.pay(txid, { outcome: 'declined' });
  await ended(world, order, 'Declined');
  const again = await shopper.pay();
  const second = await ordered(world, again);
  assert.equal(second.orderMerchantId, `${order.code}-2`);
  await world.service.pay(second.txid);
  assert.equal(states(await settled(world, order)), 'Declined,Settled');
}

async function cancelledByShop(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  await world.staff.cancelOrder(order.id);
  const now = await world.staff.order(order.id);
  assert.deepEqual([now.state, states(now)], ['Cancelled', 'Cancelled']);
  const { status, statusReason } = await ordered(world, order);
  assert.deepEqual([status, statusReason], ['cancelled', 'by_merchant']);
}

async function notCancelledWhilePaying(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const { txid } = await ordered(world, order);
  await world.service.pay(txid, { outcome: 'unknown' });
  await assert.rejects(world.staff.cancelOrder(order.id), UNDER_WAY);
  assert.equal((await world.staff.order(order.id)).state, 'ArrangingPayment');
  await world.service.pay(txid);
  await settled(world, order);
  assert.equal((await ordered(world, order)).status, 'paid');
}

async function cancelledByPayer(world: World): Promise<void> {
  const shopper = world.shopper();
  const order = await shopper.checkOut();
  const payer = await Payer.at(world, pageOf(order));
  await payer.cancel();
  await payer.sees('cancelled');
  await payer.goBack();
  await payer.close();
  await ended(world, order, 'Cancelled');
  assert.equal((await ordered(world, order)).statusReason, 'by_payer');
  await shopper.pay();
  const { txid } = await ordered(world, order);
  await world.service.pay(txid);
  assert.equal(states(await settled(world, order)), 'Cancelled,Settled');
}

async function inTwoParts(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const payer = await Payer.at(world, pageOf(order));
  await payer.pay('paid', PART);
  await payer.sees('underpaid');
  const now = await noted(world, order, /Only USD 10\.00 of USD/);
  assert.deepEqual([now.state, states(now)], ['ArrangingPayment', 'Created']);
  await payer.pay();
  await payer.sees('paid');
  await payer.close();
  const { notes } = await settled(world, order);
  assert.equal(notes.length, 1);
  const { amount, amountReceived } = await ordered(world, order);
  assert.equal(amountReceived, amount);
}

async function tooMuch(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const payer = await Payer.at(world, pageOf(order));
  await payer.pay('paid', order.totalWithTax + PART);
  await payer.sees('overpaid');
  await payer.close();
  await settled(world, order);
  const { notes, payments } = await noted(world, order, /Send the rest back/);
  assert.equal(notes.length, 1);
  assert.equal(payments[0]!.amount, order.totalWithTax);
  const { exception, amountReceived } = await ordered(world, order);
  assert.deepEqual([exception, amountReceived], ['overpaid', order.totalWithTax + PART]);
}

async function expired(world: World): Promise<void> {
  const shopper = world.shopper();
  const order = await shopper.checkOut();
  const { txid } = await ordered(world, order);
  await help(world, txid, 'expire');
  await ended(world, order, 'Cancelled');
  assert.equal((await ordered(world, order)).statusReason, 'not_paid');
  await shopper.pay();
  const again = await ordered(world, order);
  assert.notEqual(again.txid, txid);
  await world.service.pay(again.txid);
  assert.equal(states(await settled(world, order)), 'Cancelled,Settled');
}

async function partThenCancelled(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const { txid } = await ordered(world, order);
  await world.service.pay(txid, { amount: PART });
  await noted(world, order, /Only USD 10\.00/);
  await world.staff.cancelOrder(order.id);
  const now = await world.staff.order(order.id);
  assert.deepEqual([now.state, states(now)], ['Cancelled', 'Cancelled']);
  const { status, exception, amountReceived } = await ordered(world, order);
  assert.deepEqual([status, exception, amountReceived], ['cancelled', 'underpaid', PART]);
}

/** The bank had refused, and sends the money after the order's time. */
async function lateMoney(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const { txid } = await ordered(world, order);
  await world.service.pay(txid, { outcome: 'declined' });
  await help(world, txid, 'expire');
  await ended(world, order, 'Cancelled');
  await help(world, txid, 'late-payment');
  const { state, notes } = await noted(world, order, /after the order had ended: USD/);
  assert.deepEqual([state, notes.length], ['ArrangingPayment', 1]);
  assert.equal((await ordered(world, order)).exception, 'paid_late');
  await help(world, txid, 'accept');
  await noted(world, order, /counts as paid with USD/);
  assert.equal((await ordered(world, order)).status, 'paid');
}

async function paidTwice(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const { txid, amount } = await ordered(world, order);
  await world.service.pay(txid, { outcome: 'declined' });
  await world.service.pay(txid);
  await settled(world, order);
  await help(world, txid, 'late-payment');
  const now = await noted(world, order, /It was paid again/);
  assert.deepEqual([now.state, states(now)], ['PaymentSettled', 'Settled']);
  const { exception, amountReceived } = await ordered(world, order);
  assert.deepEqual([exception, amountReceived], ['duplicate_payment', 2 * amount]);
}

async function otherCurrency(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const { txid } = await ordered(world, order);
  await world.service.pay(txid, { currency: 'EUR' });
  await noted(world, order, /another currency/);
  assert.equal((await world.staff.order(order.id)).state, 'ArrangingPayment');
  await world.service.pay(txid);
  await settled(world, order);
  const { status, exception } = await ordered(world, order);
  assert.deepEqual([status, exception], ['paid', 'wrong_currency']);
}

async function twoTabs(world: World): Promise<void> {
  const shopper: Shopper = world.shopper();
  await shopper.fillCart();
  await shopper.moveTo('ArrangingPayment');
  const answers = await together(() => shopper.pay(), 4);
  assert.equal(new Set(answers.map(pageOf)).size, 1);
  const [order] = answers as [ShopOrder];
  assert.equal((await allOrdered(world, order)).length, 1);
  const tabs = await Promise.all([Payer.at(world, pageOf(order)), Payer.at(world, pageOf(order))]);
  await tabs[0].pay();
  await tabs[1].sees('paid');
  await Promise.all(tabs.map((tab) => tab.close()));
  const now = await settled(world, order);
  assert.deepEqual(
    now.payments.map(({ amount }) => amount),
    [order.totalWithTax],
  );
}

async function changedCart(world: World): Promise<void> {
  const shopper = world.shopper();
  const order = await shopper.checkOut();
  const payer = await Payer.at(world, pageOf(order));
  await shopper.moveTo('AddingItems');
  await payer.sees('cancelled');
  await payer.close();
  await shopper.add(NOTEBOOK);
  await shopper.moveTo('ArrangingPayment');
  const changed = await shopper.pay();
  const [first, second] = await allOrdered(world, order);
  assert.deepEqual([first?.status, first?.amount], ['cancelled', order.totalWithTax]);
  assert.deepEqual([second?.status, second?.amount], ['open', changed.totalWithTax]);
  await world.service.pay(second!.txid, { outcome: 'unknown' });
  await assert.rejects(shopper.moveTo('AddingItems'), UNDER_WAY);
  await world.service.pay(second!.txid);
  assert.equal(states(await settled(world, order)), 'Cancelled,Settled');
}

async function refundAsked(world: World): Promise<void> {
  const order = await world.shopper().checkOut(LAMP);
  await world.service.pay((await ordered(world, order)).txid);
  const { payments } = await settled(world, order);
  const refund = await world.staff.refund(payments[0]!.id, PART);
  assert.deepEqual([refund.state, refund.total], ['Pending', PART]);
  await noted(world, order, /Send USD 10\.00 back by hand/);
  assert.equal((await ordered(world, order))['amountRefunded'], 0);
}

async function settledByHand(world: World): Promise<void> {
  const order = await world.shopper().checkOut();
  const [payment] = (await world.staff.order(order.id)).payments;
  await assert.rejects(world.staff.settlePayment(payment!.id), /The order is open/);
  assert.equal(states(await world.staff.order(order.id)), 'Created');
  await world.staff.cancelOrder(order.id);
}

/** What customers, payers and staff do. */
export const CUSTOMERS: Stories = [
  ['a customer buys, pays and comes back', checkout],
  ['a payment is declined, the next one pays', declinedThenPaid],
  ['no attempt is left, and a second order pays', failedThenAnother],
  ['the shop cancels', cancelledByShop],
  ['the shop cannot cancel what is being paid', notCancelledWhilePaying],
  ['the payer cancels, and pays after all', cancelledByPayer],
  ['an order expires, and is paid by a second one', expired],
  ['the money comes in two parts', inTwoParts],
  ['the shop cancels after a part of the money', partThenCancelled],
  ['too much money comes', tooMuch],
  ['money comes too late', lateMoney],
  ['it is paid twice', paidTwice],
  ['money comes in another currency', otherCurrency],
  ['two tabs, one order', twoTabs],
  ['the cart changes', changedCart],
  ['a refund is asked for', refundAsked],
  ['staff settle what is not paid', settledByHand],
];
