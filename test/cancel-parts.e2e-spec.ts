import { describe, expect, it } from '@jest/globals';
import { AcceptanceService } from '../src/payments/acceptance.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank, startPayment } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf } from './support/facts.js';
import { outcomeOf } from './support/outcome.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances } from './support/payouts.js';
import { rounds } from './support/race.js';
import { sentBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;

const { app } = await openShop();

/** An order of 1,000 cents of which 600 came. */
async function withPart(shop: Client): Promise<OrderJson> {
  const { txid } = await shop.order({ amount: 1_000 });
  return (await shop.pay(txid, { amount: 600 })).body;
}

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;

const accept = ({ merchantId }: Client, { txid }: OrderJson) =>
  app.get(AcceptanceService).accept({ merchantId, mode: 'test' }, txid);

/** The bank books the rest of an order, of which a payment is under way. */
async function bookRest(shop: Client, order: OrderJson, payment: string): Promise<void> {
  const bank = await Bank.of(app, shop);
  expect(await bank.send(bank.message(order, payment, 'booked', { amount: 400 }))).toBe(200);
  await bank.settled();
}

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('an order with a part of its money', () => {
  it('is cancelled, and the part waits for a person who sends it back', async () => {
    const shop = await app.merchant();
    const order = await withPart(shop);
    const cancelled = await shop.cancel(order.txid);
    expect(cancelled).toMatchObject({
      status: 200,
      body: {
        status: 'cancelled',
        statusReason: 'by_merchant',
        exception: 'underpaid',
        amountReceived: 600,
      },
    });
    expect((await shop.cancel(order.txid)).text).toBe(cancelled.text);
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.cancelled');
    expect(await balances(app, shop)).toEqual({
      EUR: { unallocated: 600, 'clearing:sandbox': -600 },
    });
    await expect(accept(shop, order)).rejects.toMatchObject({ code: 'order_not_acceptable' });
    await sentBack(app, shop, order, { amount: 600 });
    expect(await read(shop, order)).toMatchObject({ status: 'cancelled', amountRefunded: 600 });
    await expectBooksInOrder(shop);
  });

  it('is cancelled by its payer on the payment page', async () => {
    const shop = await app.merchant();
    const order = await withPart(shop);
    expect(await (await fetch(order.paymentPageUrl)).text()).toContain('/cancel"');
    const reply = await fetch(`${order.paymentPageUrl}/cancel`, {
      method: 'POST',
      redirect: 'manual',
    });
    expect(reply.status).toBe(303);
    expect(await read(shop, order)).toMatchObject({
      status: 'cancelled',
      statusReason: 'by_payer',
      amountReceived: 600,
    });
    expect(await (await fetch(order.paymentPageUrl)).text()).toContain('Your money has arrived');
  });

  it('is cancelled while the rest is being paid, which is stopped first', async () => {
    const shop = await app.merchant();
    const order = await withPart(shop);
    await startPayment(app, order);
    expect((await shop.cancel(order.txid)).body).toMatchObject({
      status: 'cancelled',
      payments: [{ status: 'succeeded' }, { status: 'cancelled' }],
    });
    await expectBooksInOrder(shop);
  });

  it('leaves its id to another order, and each is found', async () => {
    const shop = await app.merchant();
    const order = await withPart(shop);
    await shop.cancel(order.txid);
    const { orderMerchantId, amount } = order;
    const next = await shop.create({ orderMerchantId, amount });
    expect(next.status).toBe(201);
    const byId = await shop.call('GET', `/api/order?orderMerchantId=${orderMerchantId}`);
    expect(byId.body['txid']).toBe(next.body.txid);
    expect(await read(shop, order)).toMatchObject({ status: 'cancelled', amountReceived: 600 });
  });

  it('is paid after all when the rest comes late and a person accepts it, unless its id was taken', async () => {
    const shop = await app.merchant();
    for (const isTaken of [false, true]) {
      const order = await withPart(shop);
      const payment = await startPayment(app, order);
      await shop.cancel(order.txid);
      await bookRest(shop, order, payment);
      expect(await read(shop, order)).toMatchObject({
        status: 'cancelled',
        exception: 'paid_late',
        amountReceived: 1_000,
      });
      const { orderMerchantId } = order;
      if (isTaken) {
        await shop.order({ orderMerchantId });
        await expect(accept(shop, order)).rejects.toMatchObject({ code: 'order_already_exists' });
      } else {
        await accept(shop, order);
        expect(await read(shop, order)).toMatchObject({ status: 'paid', statusReason: 'manual' });
        expect((await shop.create({ orderMerchantId, amount: 1 })).status).toBe(409);
      }
    }
    await expectBooksInOrder(shop);
  });

  it('is paid or cancelled when the rest comes in the same moment, and no cent is lost', async () => {
    const shop = await app.merchant();
    const ends = new Set<string>();
    await rounds(async () => {
      const order = await withPart(shop);
      const payment = await startPayment(app, order);
      const [cancelled] = await Promise.all([
        shop.cancel(order.txid),
        bookRest(shop, order, payment),
      ]);
      const { status, exception, amountReceived } = await read(shop, order);
      ends.add(status);
      expect([cancelled.status, status, exception, amountReceived]).toEqual(
        cancelled.status === 200
          ? [200, 'cancelled', 'paid_late', 1_000]
          : [409, 'paid', 'none', 1_000],
      );
    });
    expect([...ends].every((end) => end === 'paid' || end === 'cancelled')).toBe(true);
    await expectBooksInOrder(shop);
  });

  it('expires or is cancelled, and is accepted only with all of its money', async () => {
    const shop = await app.merchant();
    await rounds(async () => {
      const order = await withPart(shop);
      const payment = await startPayment(app, order);
      app.clock.advance(61 * MINUTE_MS);
      const [cancelled, , , accepted] = await Promise.all([
        shop.cancel(order.txid),
        app.get(Sweeper).run(),
        bookRest(shop, order, payment),
        outcomeOf(() => accept(shop, order)),
      ]);
      await app.get(Sweeper).run();
      const { status, statusReason, amountReceived } = await read(shop, order);
      expect(amountReceived).toBe(1_000);
      expect(['paid', 'cancelled', 'expired']).toContain(status);
      if (accepted === 'order_not_acceptable') expect(statusReason).not.toBe('manual');
      else expect([status, statusReason]).toEqual(['paid', 'manual']);
      if (status === 'cancelled') expect(cancelled.status).toBe(200);
    });
    await expectBooksInOrder(shop);
  });
});
