import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeysService } from '../src/merchants/api-keys.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import { Bank, startAtPage, startPayment } from './support/bank.js';
import { type Client, newOrder, type OrderJson } from './support/client.js';
import { createTables, onPostgres, type TestDatabase } from './support/database.js';
import { bookedFor, count, factsOf, select } from './support/facts.js';
import { CALLERS, rounds, tally, together } from './support/race.js';

const HOUR_MS = 3_600_000;
/** A change made by one process shows on pages that another one serves. */
const SEEN_WITHIN_MS = 1_000;

const suite = onPostgres(describe, 'the embedded database belongs to one process');

suite('two processes on one PostgreSQL database', () => {
  let database: TestDatabase;
  let apps: readonly TestApp[];
  let first: TestApp;
  let second: TestApp;
  let shop: Client;
  let shops: readonly Client[];
  let bank: Bank;

  beforeAll(async () => {
    database = await createTables();
    first = await TestApp.start({ database });
    second = await TestApp.start({ database });
    apps = [first, second];
    shop = await first.merchant();
    shops = apps.map(({ url }) => shop.at(url));
    bank = await Bank.of(first, shop);
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()));
    await database.drop();
  });

  const shopOf = (n: number): Client => shops[n % 2]!;
  const advance = (ms: number): void => apps.forEach((app) => app.clock.advance(ms));

  it('make one order of equal requests with one key', async () => {
    await rounds(async (round) => {
      const order = newOrder();
      const headers = { 'idempotency-key': `two-${round}` };
      const answers = await together((n) => shopOf(n).create(order, headers));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: CALLERS });
      const txids = new Set(answers.map(({ body }) => body.txid));
      expect(txids.size).toBe(1);
      const held = 'order_merchant_id = $1';
      expect(await count(first, 'orders', held, [order['orderMerchantId']])).toBe(1);
    });
  });

  it('count one message of a provider once', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const payment = await startPayment(first, order);
      const message = bank.message(order, payment, 'booked');
      const statuses = await together((n) => bank.send(message, apps[n % 2]!));
      expect(tally(statuses)).toEqual({ 200: CALLERS });
      await bank.settled();
      const { order: row, events } = await factsOf(first, order.txid);
      expect(row).toMatchObject({ status: 'paid', amount_received: order.amount });
      expect(events).toEqual(['order.created', 'order.processing', 'order.paid']);
    });
  });

  it('start one live payment', async () => {
    await rounds(async () => {
      const order = await shop.order();
      const elsewhere = {
        ...order,
        paymentPageUrl: order.paymentPageUrl.replace(first.url, second.url),
      };
      const answers = await together((n) => startAtPage(n % 2 ? order : elsewhere));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 303: CALLERS });
      const { payments, events } = await factsOf(first, order.txid);
      expect(payments.map(({ status }) => status)).toEqual(['pending']);
      expect(events).toEqual(['order.created', 'order.processing']);
    });
  });

  it('pay or cancel an order, never both', async () => {
    await rounds(async () => {
      const order = await shop.order();
      await startPayment(first, order);
      const answers = await together((n) =>
        n % 4 < 2 ? shopOf(n).pay(order.txid) : shopOf(n).cancel(order.txid),
      );
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const { order: row, events } = await factsOf(first, order.txid);
      const ends = events.filter((type) => /paid|cancelled/.test(type));
      expect(ends).toEqual([`order.${row['status'] as string}`]);
      expect(await bookedFor(first, order.txid)).toBe(row['status'] === 'paid' ? 1 : 0);
    });
  });

  it('sweep side by side and let each order expire once', async () => {
    const orders = await together(() => shop.order(), 100);
    await together((n) => startPayment(first, orders[n]!), 50);
    advance(HOUR_MS);
    await together((n) => apps[n % 2]!.get(Sweeper).run(), 6);
    const txids = orders.map(({ txid }) => txid);
    const sql = 'SELECT status, version FROM orders WHERE txid = ANY($1)';
    const rows = await select<{ status: string; version: number }>(first, sql, [txids]);
    expect(tally(rows.map(({ status }) => status))).toEqual({ expired: orders.length });
    const ends = `type = 'order.expired' AND txid = ANY($1)`;
    expect(await count(first, 'events', ends, [txids])).toBe(orders.length);
    const polls = 'SELECT polls FROM payments WHERE txid = ANY($1)';
    const looked = await select<{ polls: number }>(first, polls, [txids]);
    expect(tally(looked.map(({ polls: times }) => times))).toEqual({ 1: 50 });
  });

  it('refuse a key five seconds after it was revoked by the other', async () => {
    const key = await first.key(shop.merchantId);
    const { txid } = await shop.order();
    const there = key.at(second.url);
    expect((await there.read(txid)).status).toBe(200);
    await first.get(ApiKeysService).revoke(key.keyId);
    advance(4_999);
    const last = await there.read(txid);
    expect([200, 401]).toContain(last.status);
    advance(1);
    expect((await there.read(txid)).status).toBe(401);
  });

  it('show a change by one on a page that the other serves', async () => {
    const order: OrderJson = await shop.order();
    const url = `${order.paymentPageUrl.replace(first.url, second.url)}/events`;
    const stream = await fetch(url);
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('event: status');
    const start = performance.now();
    await shops[0]!.cancel(order.txid);
    expect((await reader.read()).value).toContain('event: status');
    expect(performance.now() - start).toBeLessThan(SEEN_WITHIN_MS);
    await reader.cancel();
  });
});
