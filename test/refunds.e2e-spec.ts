import { describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { LedgerRepository } from '../src/database/ledger/ledger.repository.js';
import { AcceptanceService } from '../src/payments/acceptance.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { Bank, startPayment } from './support/bank.js';
import type { Client, OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { outcomeOf } from './support/outcome.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { balances, paidOrder } from './support/payouts.js';
import { codeOf, person, signedIn, withTotp } from './support/people.js';
import { rounds, tally, together } from './support/race.js';
import { sentBack, takenBack } from './support/refunds.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;
const REFUSED = { code: 'order_not_refundable' };

const { app } = await openShop();

async function expire(): Promise<void> {
  app.clock.advance(61 * MINUTE_MS);
  await app.get(Sweeper).run();
}

/** The bank books so much of a payment. */
async function book(shop: Client, order: OrderJson, payment: string, changes: object) {
  const bank = await Bank.of(app, shop);
  await bank.send(bank.message(order, payment, 'booked', changes));
  await bank.settled();
}

/** An order whose time ran out before its 1,000 cents came. */
async function late(shop: Client): Promise<OrderJson> {
  const order = await shop.order({ amount: 1_000 });
  const payment = await startPayment(app, order);
  await expire();
  await book(shop, order, payment, {});
  return (await shop.read(order.txid)).body;
}

const read = async (shop: Client, { txid }: OrderJson) => (await shop.read(txid)).body;

const accept = ({ merchantId }: Client, { txid }: OrderJson) =>
  app.get(AcceptanceService).accept({ merchantId, mode: 'test' }, txid);

async function transferOf({ txid }: OrderJson, kind: string): Promise<string> {
  const sql = 'SELECT id FROM transfers WHERE txid = $1 AND kind = $2 ORDER BY id LIMIT 1';
  const [transfer] = await select<{ id: string }>(app, sql, [txid, kind]);
  return transfer!.id;
}

async function expectBooksInOrder(shop: Client): Promise<void> {
  await expectSound(app, [shop.merchantId]);
  await expectHealthy(app);
}

describe('money that is sent back', () => {
  it('is written down, told of, and never accepted afterwards', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    await sentBack(app, shop, order, { amount: 400 });
    expect(await read(shop, order)).toMatchObject({ status: 'expired', amountRefunded: 400 });
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.refunded');
    await expect(accept(shop, order)).rejects.toMatchObject({ code: 'order_not_acceptable' });
    expect(await balances(app, shop)).toEqual({
      EUR: { unallocated: 600, 'clearing:sandbox': -600 },
    });
    await expect(sentBack(app, shop, order, { amount: 601 })).rejects.toMatchObject(REFUSED);
    await sentBack(app, shop, order, { amount: 600 });
    await expect(sentBack(app, shop, order, { amount: 1 })).rejects.toMatchObject(REFUSED);
    expect((await read(shop, order)).amountRefunded).toBe(1_000);
    expect(await balances(app, shop)).toEqual({});
    await expectBooksInOrder(shop);
  });

  it('is what no order explains: too much, twice, in another currency', async () => {
    const shop = await app.merchant();
    const over = await paidOrder(shop, 1_000, { received: 1_250 });
    await expect(sentBack(app, shop, over, { amount: 251 })).rejects.toMatchObject(REFUSED);
    await sentBack(app, shop, over, { amount: 250 });
    const foreign = await shop.order({ amount: 500 });
    await book(shop, foreign, await startPayment(app, foreign), { currency: 'USD' });
    await sentBack(app, shop, foreign, { amount: 500, currency: 'USD' });
    expect(await read(shop, foreign)).toMatchObject({ status: 'open', amountRefunded: 0 });
    expect(await balances(app, shop)).toEqual({
      EUR: { available: 1_000, 'clearing:sandbox': -1_000 },
    });
    await expectBooksInOrder(shop);
  });

  it('comes from several payments when one did not bring enough', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 1_000 });
    await shop.pay(order.txid, { amount: 300 });
    await shop.pay(order.txid, { amount: 400 });
    await expect(sentBack(app, shop, order, { amount: 1 })).rejects.toMatchObject(REFUSED);
    await expire();
    await sentBack(app, shop, order, { amount: 500 });
    const sql = `SELECT amount FROM transfers WHERE txid = $1 AND kind = 'refund' ORDER BY payment_id`;
    expect(await select(app, sql, [order.txid])).toEqual([{ amount: 100 }, { amount: 400 }]);
    await sentBack(app, shop, order, { amount: 200 });
    await expectBooksInOrder(shop);
  });

  it('is not written down for others, nor for what was accepted', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    const stranger = await app.merchant();
    await expect(sentBack(app, stranger, order, { amount: 1 })).rejects.toMatchObject({
      code: 'order_not_found',
    });
    await accept(shop, order);
    await expect(sentBack(app, shop, order, { amount: 1 })).rejects.toMatchObject(REFUSED);
    await expectBooksInOrder(shop);
  });
});

describe('a transfer that is taken back', () => {
  it('is none of which the money was accepted or sent back', async () => {
    const shop = await app.merchant();
    const [accepted, returned] = [await late(shop), await late(shop)];
    await accept(shop, accepted);
    await sentBack(app, shop, returned, { amount: 1 });
    for (const order of [accepted, returned]) {
      expect(await takenBack(app, shop, await transferOf(order, 'unallocated'))).toBe('spent');
    }
    await expectBooksInOrder(shop);
  });

  it('is none of an order that waits for the rest', async () => {
    const shop = await app.merchant();
    const part = await paidOrder(shop, 1_000, { received: 400 });
    const id = await transferOf(part, 'unallocated');
    expect(await takenBack(app, shop, id)).toBe('awaited');
    await shop.pay(part.txid);
    expect(await read(shop, part)).toMatchObject({ status: 'paid' });
    await expectBooksInOrder(shop);
  });

  it('leaves an order unpaid that had waited for the rest, and all that came is kept', async () => {
    const shop = await app.merchant();
    const part = await paidOrder(shop, 1_000, { received: 400 });
    // As `transfer reverse` was once allowed to.
    const tx = app.get(DataSource).manager;
    const transfer = { merchantId: shop.merchantId, id: await transferOf(part, 'unallocated') };
    await app.get(LedgerRepository).reverse(tx, transfer, 'Once allowed', app.clock.now());
    await shop.pay(part.txid);
    expect(await read(shop, part)).toMatchObject({
      status: 'expired',
      statusReason: 'partially_paid',
      exception: 'underpaid',
      amountReceived: 1_000,
    });
    expect((await balances(app, shop))['EUR']).toEqual({
      unallocated: 600,
      'clearing:sandbox': -600,
    });
    await expect(accept(shop, part)).rejects.toMatchObject({ code: 'order_not_acceptable' });
    await expectBooksInOrder(shop);
    await sentBack(app, shop, part, { amount: 600 });
    await expectBooksInOrder(shop);
  });

  it('leaves nothing to accept or to send back', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    expect(await takenBack(app, shop, await transferOf(order, 'unallocated'))).toBe('reversed');
    await expect(accept(shop, order)).rejects.toMatchObject({ code: 'order_not_acceptable' });
    await expect(sentBack(app, shop, order, { amount: 1 })).rejects.toMatchObject(REFUSED);
    await expectBooksInOrder(shop);
  });

  it('may be a refund that was none, and the money is there again', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    await sentBack(app, shop, order, { amount: 1_000 });
    expect(await takenBack(app, shop, await transferOf(order, 'refund'))).toBe('reversed');
    expect((await read(shop, order)).amountRefunded).toBe(0);
    expect((await factsOf(app, order.txid)).events.at(-1)).toBe('order.refunded');
    await accept(shop, order);
    await expectBooksInOrder(shop);
  });

  it('is refused by the database too, whoever asks', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    await accept(shop, order);
    const copy = (changes: object) =>
      select(
        app,
        `INSERT INTO transfers SELECT (jsonb_populate_record(t, $2::jsonb)).* FROM transfers t
         WHERE txid = $1 AND kind = 'unallocated'`,
        [order.txid, JSON.stringify({ id: shop.merchantId, ...changes })],
      );
    const away = { debit: 'unallocated', credit: 'clearing:sandbox', note: 'Gone' };
    await expect(copy({ ...away, kind: 'refund' })).rejects.toThrow(/less unallocated money/);
    const reverses = { kind: 'reversal', reverses_id: await transferOf(order, 'unallocated') };
    await expect(copy({ ...away, ...reverses })).rejects.toThrow(/less unallocated money/);
  });
});

describe('the same money', () => {
  it('is accepted, sent back or taken back, whoever is first', async () => {
    const shop = await app.merchant();
    const REFUSALS = ['order_not_acceptable', 'order_not_refundable', 'spent', 'reversed before'];
    await rounds(async () => {
      const order = await late(shop);
      const id = await transferOf(order, 'unallocated');
      const ways = [
        () => outcomeOf(() => accept(shop, order)),
        () => outcomeOf(() => sentBack(app, shop, order, { amount: 1_000 })),
        async () => {
          let outcome = 'reversed';
          const failed = await outcomeOf(async () => {
            outcome = await takenBack(app, shop, id);
          });
          return failed === 'ok' ? (outcome === 'reversed' ? 'ok' : outcome) : failed;
        },
      ];
      const outcomes = tally((await together((n) => ways[n % ways.length]!())) as string[]);
      expect(outcomes['ok']).toBe(1);
      expect(REFUSALS).toEqual(
        expect.arrayContaining(Object.keys(outcomes).filter((outcome) => outcome !== 'ok')),
      );
    });
    await expectBooksInOrder(shop);
  });
});

describe('the page on which an operator writes down what was sent back', () => {
  const LIST = '/portal/platform/unallocated/test';
  const operators = async () => signedIn(app, await withTotp(app, await person(app, 'operator')));

  it('shows money of a currency that no order can be in', async () => {
    const shop = await app.merchant();
    const order = await shop.order({ amount: 500 });
    await book(shop, order, await startPayment(app, order), { currency: 'XTS' });
    const page = await (await operators()).get(`${LIST}/${shop.merchantId}/${order.txid}/refund`);
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('value="5.00"')]);
    await sentBack(app, shop, order, { amount: 500, currency: 'XTS' });
    await expectBooksInOrder(shop);
  });

  it('asks for a fresh code, an amount and how, and says who did it', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    const olga = await withTotp(app, await person(app, 'operator'));
    const operator = await signedIn(app, olga);
    app.clock.advance(6 * MINUTE_MS);
    const page = `${LIST}/${shop.merchantId}/${order.txid}/refund`;
    expect((await operator.get(LIST)).html).toContain(page);
    expect((await operator.get(page)).html).toContain('value="10.00"');
    const version = String((await factsOf(app, order.txid)).events.length);
    const form = { version, currency: 'EUR', amount: '4,00', note: 'Transfer 7' };
    expect((await operator.post(page, { ...form, amount: '10.01' })).html).toContain('At most');
    expect((await operator.post(page, { ...form, note: '' })).status).toBe(422);
    expect((await operator.post(page, { ...form, currency: 'USD' })).status).toBe(422);
    expect((await operator.post(page, { ...form, code: '000000' })).status).toBe(422);
    const code = await codeOf(app, olga.totp);
    const done = await operator.post(page, { ...form, code });
    expect([done.status, done.location]).toEqual([303, `${LIST}?done=refunded`]);
    expect((await read(shop, order)).amountRefunded).toBe(400);
    const sql = 'SELECT action, data FROM audit_entries WHERE subject = $1';
    expect(await select(app, sql, [order.txid])).toMatchObject([
      { action: 'order.refunded', data: { amount: 400, currency: 'EUR', note: 'Transfer 7' } },
    ]);
    const list = (await operator.get(LIST)).html;
    expect(list).toContain('6.00');
    expect(list).not.toContain(`${order.txid}"`);
  });

  it('writes it down once, however often the form is sent', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    const page = `${LIST}/${shop.merchantId}/${order.txid}/refund`;
    const operator = await operators();
    await operator.get(page);
    const version = String((await factsOf(app, order.txid)).events.length);
    const form = { version, currency: 'EUR', amount: '4', note: 'Transfer 7' };
    const replies = await together(() => operator.post(page, form));
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({
      303: 1,
      409: replies.length - 1,
    });
    expect((await read(shop, order)).amountRefunded).toBe(400);
  });

  it('is not there for support, other merchants and what is accepted', async () => {
    const shop = await app.merchant();
    const order = await late(shop);
    const path = `${shop.merchantId}/${order.txid}/refund`;
    const operator = await operators();
    const support = await signedIn(app, await withTotp(app, await person(app, 'support')));
    expect((await support.get(`${LIST}/${path}`)).status).toBe(403);
    const { merchantId } = await app.merchant();
    expect((await operator.get(`${LIST}/${merchantId}/${order.txid}/refund`)).status).toBe(404);
    expect((await operator.get(`${LIST.replace('test', 'live')}/${path}`)).status).toBe(404);
    await accept(shop, order);
    expect((await operator.get(`${LIST}/${path}`)).status).toBe(409);
  });
});
