import { describe, expect, it } from '@jest/globals';
import { PAYMENTS_MAX } from '../src/database/payments/payment.entity.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { credited, told } from './support/bank-lines.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, Cashier, PAYS } from './support/payouts.js';
import { sentBack } from './support/refunds.js';
import { returned, undone } from './support/returns.js';
import { openShop } from './support/shop.js';

const DAY_MS = 86_400_000;

const { app } = await openShop({ env: PAYS });

const day = (days = 0): string =>
  new Date(app.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;

async function waiting(shop: Client, amount = 1_000): Promise<OrderJson> {
  const order = await shop.order({ amount });
  await told(app, shop, order);
  return order;
}

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('money of a bank', () => {
  it('pays an order, with its payer and under its reference', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const { payment } = await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({
      status: 'paid',
      statusReason: 'exact',
      amountReceived: 1_000,
      payment: { payerAccountName: 'Paula Payer', payerAccountNumber: 'NL91ABNA0417164300' },
    });
    expect(payment.providerReference).toMatch(/^RF\d{18}$/);
    expect(payment.transfer?.reference).toBe(payment.providerReference);
    expect((await factsOf(app, order.txid)).events).toEqual(['order.created', 'order.paid']);
    expect(await balances(app, shop)).toEqual({
      EUR: { available: 1_000, 'clearing:bank_transfer': -1_000 },
    });
    await expectBooksInOrder(shop);
  });

  it('adds up on the order, each credit a payment of its own', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const first = await credited(app, shop, order, 300);
    expect(await read(shop, order)).toMatchObject({ status: 'open', exception: 'underpaid' });
    const second = await credited(app, shop, order, 750);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', statusReason: 'overpaid' });
    const { providerReference } = first.payment;
    expect(second.payment.providerReference).toBe(`${providerReference}-2`);
    expect((await factsOf(app, order.txid)).order).toMatchObject({ attempts: 2 });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000, unallocated: 50 } });
    await expectBooksInOrder(shop);
  });

  it('counts by the day on which the bank booked it', async () => {
    const shop = await app.merchant();
    const [inTime, late] = [await waiting(shop), await waiting(shop)];
    const lastDay = day();
    app.clock.advance(2 * DAY_MS);
    await credited(app, shop, inTime, 1_000, { bookedOn: lastDay });
    await credited(app, shop, late, 1_000, { bookedOn: day() });
    expect(await read(shop, inTime)).toMatchObject({ status: 'paid' });
    expect(await read(shop, late)).toMatchObject({ status: 'expired', exception: 'paid_late' });
    await expectBooksInOrder(shop);
  });

  it('that is there is in time, whatever day to come the bank gives it', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await credited(app, shop, order, 1_000, { bookedOn: '2100-01-01' });
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
  });

  it('waits for a person where the order is over or paid', async () => {
    const shop = await app.merchant();
    const [cancelled, paid] = [await waiting(shop), await waiting(shop)];
    await shop.cancel(cancelled.txid);
    await credited(app, shop, cancelled, 1_000);
    await credited(app, shop, paid, 1_000);
    await credited(app, shop, paid, 1_000);
    expect(await read(shop, cancelled)).toMatchObject({ exception: 'paid_late' });
    expect(await read(shop, paid)).toMatchObject({ exception: 'duplicate_payment' });
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 1_000, unallocated: 2_000 },
    });
    await expectBooksInOrder(shop);
  });

  it('pays an order beside a payment that is under way elsewhere', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await shop.pay(order.txid, { outcome: 'pending' });
    await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({ status: 'paid' });
    await expectBooksInOrder(shop);
  });

  it('has no more payments than an order can have', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    for (let n = 0; n < PAYMENTS_MAX; n++) await credited(app, shop, order, 10);
    // The money that came ends no order: its time does.
    expect(await read(shop, order)).toMatchObject({
      status: 'open',
      amountReceived: 10 * PAYMENTS_MAX,
    });
    await expect(credited(app, shop, order, 10)).rejects.toThrow('too many');
    await expectBooksInOrder(shop);
  });
});

describe('money that is taken back', () => {
  it('leaves the order paid and may leave less than nothing', async () => {
    const shop = await app.merchant();
    const cashier = await Cashier.of(app, shop);
    const order = await waiting(shop);
    const paid = await credited(app, shop, order, 1_000);
    await cashier.request(400);
    expect(await undone(app, paid)).toBe('paid_out');
    expect(await returned(app, paid)).toBe('taken_back');
    expect(await returned(app, paid)).toBe('too_much');
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'charged_back' });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.exception');
    expect(await balances(app, shop)).toEqual({ EUR: { available: -400, payout_pending: 400 } });
    await expectBooksInOrder(shop);
    await credited(app, shop, await waiting(shop), 900);
    await credited(app, shop, await waiting(shop), 1_000);
    await cashier.request(600);
    await expectBooksInOrder(shop);
  });

  it('of an order that waits is not counted any more', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const paid = await credited(app, shop, order, 300);
    expect(await undone(app, paid)).toBe('taken_back');
    expect(await read(shop, order)).toMatchObject({ status: 'open', amountReceived: 0 });
    await credited(app, shop, order, 1_000);
    expect(await read(shop, order)).toMatchObject({ status: 'paid', exception: 'none' });
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('is first of all what nothing explains, whichever payment brought it', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    const first = await credited(app, shop, order, 1_000);
    await credited(app, shop, order, 1_200);
    expect(await returned(app, first)).toBe('taken_back');
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 1_000, unallocated: 200 },
    });
    await sentBack(app, shop, order, { amount: 200 });
    await expectBooksInOrder(shop);
  });

  it('is the merchant’s where what nothing explained was sent back before', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    await credited(app, shop, order, 1_000);
    const paid = await credited(app, shop, order, 1_000);
    await sentBack(app, shop, order, { amount: 1_000 });
    expect(await returned(app, paid)).toBe('taken_back');
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('came too late: what is left waits for a person', async () => {
    const shop = await app.merchant();
    const order = await waiting(shop);
    app.clock.advance(DAY_MS);
    await app.get(Sweeper).run();
    const paid = await credited(app, shop, order, 400);
    await credited(app, shop, order, 600);
    expect(await returned(app, paid)).toBe('taken_back');
    expect(await read(shop, order)).toMatchObject({
      exception: 'charged_back',
      amountReceived: 600,
    });
    await expectBooksInOrder(shop);
  });
});
