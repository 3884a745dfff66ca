import { describe, expect, it } from '@jest/globals';
import { ApiKeysService } from '../src/merchants/api-keys.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { newOrder } from './support/client.js';
import { count, factsOf, select } from './support/facts.js';
import { CALLERS, rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;

const { app, shop } = await openShop();

describe('races to create an order', () => {
  const ordersWith = (orderMerchantId: string) =>
    count(app, 'orders', 'merchant_id = $1 AND order_merchant_id = $2', [
      shop.merchantId,
      orderMerchantId,
    ]);

  it('makes one order of equal requests with one key, and gives each the same bytes', async () => {
    await rounds(async (round) => {
      const headers = { 'idempotency-key': `same-${round}` };
      const order = newOrder();
      const answers = await together(() => shop.create(order, headers));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: CALLERS });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const replayed = answers.filter((each) => each.headers.get('idempotent-replayed') === 'true');
      expect(replayed).toHaveLength(CALLERS - 1);
      const { txid } = answers[0]!.body;
      expect((await factsOf(app, txid)).events).toEqual(['order.created']);
      expect(await ordersWith(order['orderMerchantId'] as string)).toBe(1);
      expect(
        await count(app, 'idempotency_records', 'key = $1 AND txid = $2', [`same-${round}`, txid]),
      ).toBe(1);
    });
  });

  it('gives a key to one of two different requests and refuses the other', async () => {
    await rounds(async (round) => {
      const headers = { 'idempotency-key': `either-${round}` };
      const orders = [newOrder(), newOrder()];
      const answers = await together((n) => shop.create(orders[n % 2], headers));
      const won = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status === 422);
      expect([won.length, refused.length]).toEqual([CALLERS / 2, CALLERS / 2]);
      expect(new Set(won.map(({ text }) => text)).size).toBe(1);
      expect(tally(refused.map(({ body }) => body['code'] as string))).toEqual({
        idempotency_key_reused: CALLERS / 2,
      });
      const made = await Promise.all(
        orders.map((order) => ordersWith(order['orderMerchantId'] as string)),
      );
      expect(made.toSorted()).toEqual([0, 1]);
    });
  });

  it('makes one order of equal requests without a key', async () => {
    await rounds(async () => {
      const order = newOrder();
      const answers = await together(() => shop.create(order));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CALLERS - 1, 201: 1 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(await ordersWith(order['orderMerchantId'] as string)).toBe(1);
      expect((await factsOf(app, answers[0]!.body.txid)).events).toEqual(['order.created']);
    });
  });

  it('gives an orderMerchantId to one of many different orders', async () => {
    await rounds(async (round) => {
      const orderMerchantId = `WANTED-${round}`;
      const answers = await together((n) => shop.create({ orderMerchantId, amount: 100 + n }));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: CALLERS - 1 });
      const { txid } = answers.find(({ status }) => status === 201)!.body;
      expect(new Set(answers.map(({ body }) => body.txid))).toEqual(new Set([txid]));
      expect(await ordersWith(orderMerchantId)).toBe(1);
    });
  });

  it('gives an id that expired free to one new order', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `AGAIN-${n}`);
    await together((n) => shop.order({ orderMerchantId: ids[n] }), ids.length);
    app.clock.advance(HOUR_MS);
    await app.get(Sweeper).run();
    await rounds(async (round) => {
      const orderMerchantId = ids[round]!;
      const answers = await together(() => shop.create({ orderMerchantId }));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: CALLERS - 1, 201: 1 });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const rows = await select(
        app,
        `SELECT txid, status, holds_merchant_id FROM orders
         WHERE merchant_id = $1 AND order_merchant_id = $2 ORDER BY txid`,
        [shop.merchantId, orderMerchantId],
      );
      expect(rows).toEqual([
        { txid: expect.any(String), status: 'expired', holds_merchant_id: false },
        { txid: answers[0]!.body.txid, status: 'open', holds_merchant_id: true },
      ]);
    });
  });

  it('gives an id free to one new order while its holder is being cancelled', async () => {
    await rounds(async (round) => {
      const orderMerchantId = `FREED-${round}`;
      const { txid } = await shop.order({ orderMerchantId });
      const [cancelled, ...answers] = await together((n) =>
        n === 0 ? shop.cancel(txid) : shop.create({ orderMerchantId }),
      );
      expect(cancelled!.status).toBe(200);
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).toBeLessThanOrEqual(1);
      expect(tally(answers.map(({ status }) => status))[200] ?? 0).toBe(
        answers.length - made.length,
      );
      const held = 'order_merchant_id = $1 AND holds_merchant_id';
      expect(await count(app, 'orders', held, [orderMerchantId])).toBe(made.length);
    });
  });

  it('lets no request pass five seconds after its key was revoked', async () => {
    await rounds(async (round) => {
      const key = await app.key(shop.merchantId);
      const { txid } = await shop.order();
      // The process knows the key already, or gets to know it in the very moment.
      if (round % 2) await key.read(txid);
      const during = await together<number | boolean>((n) =>
        n === 7 ? app.get(ApiKeysService).revoke(key.keyId) : key.read(txid).then((r) => r.status),
      );
      expect(during[7]).toBe(true);
      const statuses = during.filter((each) => typeof each === 'number');
      expect(statuses.every((status) => status === 200 || status === 401)).toBe(true);
      app.clock.advance(5_000);
      const after = await together(() => key.read(txid));
      expect(tally(after.map(({ status }) => status))).toEqual({ 401: CALLERS });
    });
  });
});
