import { describe, expect, it } from '@jest/globals';
import { HomeRepository } from '../src/database/read-models/home.repository.js';
import { AcceptanceService } from '../src/payments/acceptance.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank, startPayment } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { outcomeOf } from './support/outcome.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, chargeFee, paidOrder } from './support/payouts.js';
import { codeOf, person, signedIn, withTotp } from './support/people.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;

const { app } = await openShop();

/** A merchant who pays 2 % and 10 cents for a paid order. */
async function merchant(): Promise<Client> {
  const shop = await app.merchant();
  await chargeFee(app, shop, 20_000, 10);
  return shop;
}

async function expire(): Promise<void> {
  app.clock.advance(61 * MINUTE_MS);
  await app.get(Sweeper).run();
}

/** The bank books so much of a payment after all. */
async function book(shop: Client, order: OrderJson, payment: string, amount: number) {
  const bank = await Bank.of(app, shop);
  await bank.send(bank.message(order, payment, 'booked', { amount }));
  await bank.settled();
}

/** An order whose time ran out before so much of its 1,000 cents came. */
async function late(shop: Client, amount = 1_000): Promise<OrderJson> {
  const order = await shop.order({ amount: 1_000 });
  const payment = await startPayment(app, order);
  await expire();
  await book(shop, order, payment, amount);
  return (await shop.read(order.txid)).body;
}

const accept = ({ merchantId }: Client, { txid }: Pick<OrderJson, 'txid'>) =>
  app.get(AcceptanceService).accept({ merchantId, mode: 'test' }, txid);

/** What the first page of the merchant says waits for a person. */
const waiting = async ({ merchantId }: Client): Promise<number> => {
  const day = (n: number) => new Date(app.clock.now().getTime() + n * 24 * 60 * MINUTE_MS);
  const owner = { merchantId, mode: 'test' } as const;
  const counts = await app.get(HomeRepository).exceptions(owner, day(-1), day(1));
  return counts.reduce((sum, { count }) => sum + count, 0);
};

const orderOf = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('late money', () => {
  it('makes an order paid once a person accepts it', async () => {
    const shop = await merchant();
    const order = await late(shop);
    expect(order).toMatchObject({ status: 'expired', exception: 'paid_late', paidAt: null });
    expect(await balances(app, shop)).toMatchObject({ EUR: { unallocated: 1_000 } });
    expect(await waiting(shop)).toBe(1);
    await accept(shop, order);
    expect(await waiting(shop)).toBe(0);
    expect(await orderOf(shop, order)).toMatchObject({
      status: 'paid',
      statusReason: 'manual',
      finished: true,
      amountReceived: 1_000,
      paidAt: app.clock.now().toISOString(),
      payment: { status: 'succeeded' },
    });
    expect(await balances(app, shop)).toEqual({
      EUR: { available: 970, fees: 30, 'clearing:sandbox': -1_000 },
    });
    const { events } = await factsOf(app, order.txid);
    expect(events.at(-1)).toBe('order.paid');
    await expectBooksInOrder(shop);
  });

  it('counts as far as the order asks for it', async () => {
    const shop = await merchant();
    const order = await late(shop, 1_250);
    await accept(shop, order);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 970, unallocated: 250 } });
    await expectBooksInOrder(shop);
  });

  it('is not enough where less came than was asked for, and still waits for a person', async () => {
    const shop = await merchant();
    const part = await paidOrder(shop, 1_000, { received: 1 });
    await expire();
    const almost = await late(shop, 999);
    for (const [order, there, missing] of [
      [part, '0.01', '9.99'],
      [almost, '9.99', '0.01'],
    ] as const) {
      await expect(accept(shop, order)).rejects.toMatchObject({
        code: 'order_not_acceptable',
        detail: `${missing} of 10.00 EUR are missing. Send back the ${there} EUR that came.`,
      });
      expect(await orderOf(shop, order)).toMatchObject({ status: 'expired' });
    }
    expect(await waiting(shop)).toBe(2);
    expect(await balances(app, shop)).toMatchObject({ EUR: { unallocated: 1_000 } });
    await expectBooksInOrder(shop);
  });

  it('may have come in several parts', async () => {
    const shop = await merchant();
    const order = await shop.order({ amount: 1_000 });
    await shop.pay(order.txid, { amount: 300 });
    const rest = await startPayment(app, order);
    await expire();
    await book(shop, order, rest, 900);
    await accept(shop, order);
    expect(await balances(app, shop)).toMatchObject({ EUR: { available: 970, unallocated: 200 } });
    await expectBooksInOrder(shop);
  });

  it('may have come twice', async () => {
    const shop = await merchant();
    const order = await shop.order({ amount: 1_000 });
    const declined = await startPayment(app, order);
    const bank = await Bank.of(app, shop);
    await bank.send(bank.message(order, declined, 'refused'));
    await bank.settled();
    const other = await startPayment(app, order);
    await expire();
    await book(shop, order, declined, 1_000);
    await book(shop, order, other, 1_000);
    await accept(shop, order);
    expect(await balances(app, shop)).toMatchObject({
      EUR: { available: 970, unallocated: 1_000 },
    });
    await expectBooksInOrder(shop);
  });

  it('is there only once', async () => {
    const shop = await merchant();
    const refused = { code: 'order_not_acceptable' };
    const unpaid = await shop.order();
    await expect(accept(shop, unpaid)).rejects.toMatchObject(refused);
    await expect(accept(shop, await paidOrder(shop, 500))).rejects.toMatchObject(refused);
    await expire();
    await expect(accept(shop, unpaid)).rejects.toMatchObject(refused);
    const order = await late(shop);
    await accept(shop, order);
    await expect(accept(shop, order)).rejects.toMatchObject(refused);
    await expect(accept(await merchant(), order)).rejects.toMatchObject({
      code: 'order_not_found',
    });
  });

  it('is not accepted for an order whose id a newer one has taken over', async () => {
    const shop = await merchant();
    const order = await late(shop);
    const { orderMerchantId } = order;
    const newer = await shop.order({ orderMerchantId, amount: 5 });
    await expect(accept(shop, order)).rejects.toMatchObject({ code: 'order_already_exists' });
    await shop.cancel(newer.txid);
    await accept(shop, order);
    expect((await shop.create({ orderMerchantId, amount: 5 })).status).toBe(409);
    await expectBooksInOrder(shop);
  });

  it('is accepted once, however many do so at the same moment', async () => {
    const shop = await merchant();
    await rounds(async () => {
      const order = await late(shop);
      const outcomes = await together(() => outcomeOf(() => accept(shop, order)));
      expect(tally(outcomes)).toEqual({ ok: 1, order_not_acceptable: outcomes.length - 1 });
    });
    await expectBooksInOrder(shop);
  });
});

describe('the page on which an operator accepts late money', () => {
  const LIST = '/portal/platform/unallocated/test';

  it('asks for a fresh code, tells the merchant, and writes down who did it', async () => {
    const shop = await merchant();
    const order = await late(shop);
    const olga = await withTotp(app, await person(app, 'operator'));
    const operator = await signedIn(app, olga);
    app.clock.advance(6 * MINUTE_MS);
    const page = `${LIST}/${shop.merchantId}/${order.txid}`;
    expect((await operator.get(LIST)).html).toContain(page);
    const shown = await operator.get(page);
    expect(shown.html).toContain('Accept 10.00 EUR');
    expect((await operator.post(page, { code: '000000' })).status).toBe(422);
    expect(await orderOf(shop, order)).toMatchObject({ status: 'expired' });

    const done = await operator.post(page, { code: await codeOf(app, olga.totp) });
    expect([done.status, done.location]).toEqual([303, `${LIST}?done=accepted`]);
    const after = (await operator.get(done.location!)).html;
    expect(after).toContain('Payment accepted');
    expect(after).not.toContain(order.txid);
    const sql = 'SELECT action, merchant_id AS "merchantId" FROM audit_entries WHERE subject = $1';
    expect(await select(app, sql, [order.txid])).toEqual([
      { action: 'order.money-accepted', merchantId: shop.merchantId },
    ]);
    expect((await operator.get(page)).status).toBe(409);
    expect((await operator.post(page)).status).toBe(409);
  });

  it('says what is missing of money that does not cover the order', async () => {
    const shop = await merchant();
    const order = await late(shop, 400);
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    const page = `${LIST}/${shop.merchantId}/${order.txid}`;
    const list = (await operator.get(LIST)).html;
    expect(list).toContain(`${page}/refund`);
    expect(list).not.toContain(`"${page}"`);
    for (const reply of [await operator.get(page), await operator.post(page)]) {
      expect(reply.status).toBe(409);
      expect(reply.html).toContain('6.00 of 10.00 EUR are missing. Send back the 4.00 EUR');
      expect(reply.html).not.toContain('Accept 10.00 EUR');
    }
    expect((await shop.read(order.txid)).body.status).toBe('expired');
  });

  it('is not there for other merchants, modes and orders', async () => {
    const shop = await merchant();
    const { txid } = await late(shop);
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    const { merchantId } = await merchant();
    for (const path of [`${merchantId}/${txid}`, `${shop.merchantId}/${merchantId}`, 'x/y']) {
      expect((await operator.get(`${LIST}/${path}`)).status).toBe(404);
    }
    const live = LIST.replace(/test$/, 'live');
    expect((await operator.get(`${live}/${shop.merchantId}/${txid}`)).status).toBe(404);
    await operator.get(`${LIST}/${shop.merchantId}/${txid}`);
    expect((await operator.post(`${live}/${shop.merchantId}/${txid}`)).status).toBe(404);
    expect((await shop.read(txid)).body.status).toBe('expired');
    const support = await signedIn(app, await withTotp(app, await person(app, 'support')));
    expect((await support.get(`${LIST}/${shop.merchantId}/${txid}`)).status).toBe(403);
  });
});
