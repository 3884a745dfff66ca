import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { OrderRepository } from '../src/database/orders/order.repository.js';
import { CancellationService } from '../src/payments/cancellation.service.js';
import { Sweeper } from '../src/payments/sweeper.js';
import { TestApp } from './support/app.js';
import { newOrder, type OrderJson, type Reply } from './support/client.js';
import { count } from './support/facts.js';
import { enableLiveProvider } from './support/live.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;

const withKey = (key: string) => ({ 'idempotency-key': key });
const newKey = () => withKey(randomUUID());

/** The answer is the earlier one, byte for byte. */
function expectReplay(reply: Reply<unknown>, first: Reply<unknown>): void {
  expect(reply.headers.get('idempotent-replayed')).toBe('true');
  expect(reply.status).toBe(first.status);
  expect(reply.text).toBe(first.text);
  for (const name of ['content-type', 'api-version']) {
    expect(reply.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(reply.headers.has('location')).toBe(first.headers.has('location'));
}

const { app, shop } = await openShop();

describe('repeated requests', () => {
  const post = (body: unknown, headers: Record<string, string> = {}, client = shop) =>
    client.call<OrderJson>('POST', '/api/order', body, headers);

  describe('with an Idempotency-Key', () => {
    it('get the first answer again, whatever became of the order', async () => {
      const [body, key] = [newOrder(), newKey()];
      const first = await post(body, key);
      expect(first.status).toBe(201);
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      await shop.pay(first.body.txid);
      expectReplay(await post(body, key), first);
      expectReplay(await shop.call('POST', '/api/v1/order', body, key), first);
      const read = await shop.call(
        'GET',
        `/api/order?orderMerchantId=${first.body.orderMerchantId}`,
      );
      expect(read.body).toMatchObject({ txid: first.body.txid, status: 'paid' });
    });

    it('may be written otherwise, if they say the same', async () => {
      const key = newKey();
      const first = await post('{"orderMerchantId":"SPELT","amount":100,"currency":"EUR"}', key);
      const again =
        ' {"currency":"\\u0045UR",\n"amount":1e2,"orderMerchantId":"SPELT","locale":null}';
      expectReplay(await post(again, key), first);
    });

    it.each([
      ['a', '"a"'],
      ['with space', '"with space"'],
      ['a"b\\c', '"a\\"b\\\\c"'],
      ['k'.repeat(255), `"${'k'.repeat(255)}"`],
    ])('know a key bare and quoted: %s', async (bare, quoted) => {
      const body = newOrder();
      const first = await post(body, withKey(bare));
      expect(first.status).toBe(201);
      expectReplay(await post(body, withKey(quoted)), first);
    });

    it.each([
      '',
      '""',
      '"open',
      'k'.repeat(256),
      `"${'k'.repeat(256)}"`,
      'caf\u00e9',
      'a, b',
      'a\tb',
    ])('refuse the key %j', async (key) => {
      const reply = await post(newOrder(), withKey(key));
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
      const cancel = await shop.cancel(randomUUID(), withKey(key));
      expect(cancel.status).toBe(400);
    });

    it('refuse another request under the same key', async () => {
      const [body, key] = [newOrder(), newKey()];
      const first = await post(body, key);
      for (const other of [{ ...body, amount: 1 }, newOrder(), { ...body, description: 'x' }]) {
        const reply = await post(other, key);
        expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
        expect(reply.headers.has('idempotent-replayed')).toBe(false);
      }
      expectReplay(await post(body, key), first);
    });

    it('are known by the merchant, not by the API key', async () => {
      const [body, key] = [newOrder(), newKey()];
      const first = await post(body, key);
      expectReplay(await post(body, key, await app.key(shop.merchantId)), first);
    });

    it('are apart for each merchant, mode and route', async () => {
      const [body, key] = [newOrder(), newKey()];
      await enableLiveProvider(app, shop.merchantId);
      const clients = [
        shop,
        await app.merchant(),
        await app.key(shop.merchantId, { mode: 'live' }),
      ];
      const replies = [];
      for (const client of clients) replies.push(await post(body, key, client));
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(replies.map((reply) => reply.body.txid)).size).toBe(3);
      expect((await shop.cancel(replies[0]!.body.txid, key)).body.status).toBe('cancelled');
    });

    it('get the first answer in its own version of the contract', async () => {
      const [body, key] = [newOrder(), newKey()];
      const first = await post(body, { ...key, 'api-version': '1.0' });
      expect(first.headers.get('api-version')).toBe('1.0');
      expectReplay(await post(body, { ...key, 'api-version': '1.2.2' }), first);
    });

    it('get a conflict again, even when it would be none any more', async () => {
      const { txid, orderMerchantId } = await shop.order();
      const [body, key] = [newOrder({ orderMerchantId, amount: 1 }), newKey()];
      const first = await post(body, key);
      expect(first).toMatchObject({
        status: 409,
        body: { code: 'order_already_exists', txid, orderStatus: 'open' },
      });
      await shop.cancel(txid);
      expectReplay(await post(body, key), first);
      expect((await post(body, newKey())).status).toBe(201);
    });

    it('are not remembered when they were refused for their sender or their fields', async () => {
      const [body, key] = [newOrder(), newKey()];
      const readOnly = await app.key(shop.merchantId, { scopes: ['orders:read'] });
      const refused = [
        await post(body, { ...key, authorization: 'Bearer nobody' }),
        await post(body, key, readOnly),
        await post({ ...body, amount: 0 }, key),
        await post(body, { ...key, 'api-version': '9' }),
        await post('{', key),
      ];
      expect(refused.map(({ status }) => status)).toEqual([401, 403, 422, 400, 400]);
      const first = await post(body, key);
      expect(first.status).toBe(201);
      expectReplay(await post(body, key), first);
    });

    it('are remembered for a day, and forgotten after two', async () => {
      const other = await app.merchant();
      const [body, key] = [newOrder(), newKey()];
      const first = await post(body, key, other);
      const kept = () => count(app, 'idempotency_records', 'merchant_id = $1', [other.merchantId]);
      app.clock.advance(24 * HOUR_MS);
      await app.get(Sweeper).run();
      expectReplay(await post(body, key, other), first);
      app.clock.advance(24 * HOUR_MS);
      await app.get(Sweeper).run();
      expect(await kept()).toBe(1);
      app.clock.advance(1);
      await app.get(Sweeper).run();
      expect(await kept()).toBe(0);
      const anew = await post(body, key, other);
      expect(anew.status).toBe(201);
      expect(anew.body.txid).not.toBe(first.body.txid);
    });
  });

  describe('with an Idempotency-Key that cancel', () => {
    it('get the first answer again', async () => {
      const { txid } = await shop.order();
      const key = newKey();
      const first = await shop.cancel(txid, key);
      expect(first).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      expectReplay(await shop.cancel(txid, key), first);
      expectReplay(await shop.cancel(txid.toUpperCase(), key), first);
    });

    it('refuse another order under the same key', async () => {
      const [one, two] = [await shop.order(), await shop.order()];
      const key = newKey();
      await shop.cancel(one.txid, key);
      const reply = await shop.cancel(two.txid, key);
      expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect((await shop.read(two.txid)).body.status).toBe('open');
    });

    it('get a conflict again', async () => {
      const { txid } = await shop.order();
      await shop.pay(txid);
      const key = newKey();
      const first = await shop.cancel(txid, key);
      expect(first).toMatchObject({
        status: 409,
        body: { code: 'order_not_cancelable', orderStatus: 'paid' },
      });
      expectReplay(await shop.cancel(txid, key), first);
    });

    it('cancel one order, when two are named with one key at the same moment', async () => {
      await rounds(async () => {
        const orders = [await shop.order(), await shop.order()];
        const key = newKey();
        const answers = await together((n) => shop.cancel(orders[n % 2]!.txid, key));
        expect(Object.keys(tally(answers.map(({ status }) => status)))).toEqual(['200', '422']);
        const read = await Promise.all(orders.map(({ txid }) => shop.read(txid)));
        expect(read.map(({ body }) => body.status).sort()).toEqual(['cancelled', 'open']);
      });
    });

    it('are carried out when the process died between the key and the answer', async () => {
      const { txid } = await shop.order();
      const key = newKey();
      jest.spyOn(app.get(CancellationService), 'cancel').mockRejectedValueOnce(new Error('died'));
      expect((await shop.cancel(txid, key)).status).toBe(500);
      const first = await shop.cancel(txid, key);
      expect(first).toMatchObject({ status: 200, body: { status: 'cancelled' } });
      expectReplay(await shop.cancel(txid, key), first);
    });

    it('do not remember an order that is not there', async () => {
      const key = newKey();
      expect((await shop.cancel(randomUUID(), key)).status).toBe(404);
      const { txid } = await shop.order();
      expect((await shop.cancel(txid, key)).status).toBe(200);
    });
  });

  describe('without a key', () => {
    it('get the order as it is now', async () => {
      const body = newOrder({ optionalFields: { a: 'b' } });
      const first = await post(body);
      const again = await post(body);
      expectReplay(again, { ...first, status: 200 });
      await shop.pay(first.body.txid);
      const later = await post(body);
      expect(later).toMatchObject({ status: 200, body: { txid: first.body.txid, status: 'paid' } });
      expect(later.headers.get('idempotent-replayed')).toBe('true');
      expect(await count(app, 'orders', 'txid = $1', [first.body.txid])).toBe(1);
    });

    it('are a conflict with other content', async () => {
      const { txid, orderMerchantId } = await shop.order();
      for (const other of [{ amount: 1 }, { currency: 'USD' }, { optionalFields: { a: 'b' } }]) {
        const reply = await post(newOrder({ orderMerchantId, ...other }));
        expect(reply).toMatchObject({
          status: 409,
          body: { code: 'order_already_exists', txid, orderStatus: 'open', retryable: false },
        });
      }
    });

    const byId = async (orderMerchantId: string): Promise<OrderJson> => {
      const path = `/api/order?orderMerchantId=${orderMerchantId}`;
      return (await shop.call<OrderJson>('GET', path)).body;
    };

    type End = (order: OrderJson) => Promise<unknown>;
    const later = async (): Promise<void> => {
      app.clock.advance(HOUR_MS);
      await app.get(Sweeper).run();
    };
    const decline = async ({ txid }: OrderJson): Promise<void> => {
      for (let n = 0; n < 10; n++) await shop.pay(txid, { outcome: 'declined' });
    };
    it('are sent away when the id is taken and freed again and again', async () => {
      const orders = app.get(OrderRepository);
      const create = orders.create.bind(orders);
      const body = newOrder();
      const spy = jest.spyOn(orders, 'create').mockImplementation(async (order, remembered) => {
        await create({ ...order, txid: randomUUID(), pageToken: randomUUID() });
        const isFirst = await create(order, remembered);
        await shop.cancel((await byId(order.orderMerchantId)).txid);
        return isFirst;
      });
      const reply = await post(body);
      spy.mockRestore();
      expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect(reply.headers.get('retry-after')).toBe('2');
      expect((await post(body)).status).toBe(201);
    });

    it.each<[string, End, number]>([
      ['cancelled', ({ txid }) => shop.cancel(txid), 201],
      ['expired', later, 201],
      ['failed', decline, 201],
      ['open', async () => {}, 409],
      ['in progress', ({ txid }) => shop.pay(txid, { outcome: 'pending' }), 409],
      ['paid', ({ txid }) => shop.pay(txid), 409],
      [
        'expired with a part of its money',
        async ({ txid }) => {
          await shop.pay(txid, { amount: 1 });
          await later();
        },
        201,
      ],
      [
        'cancelled with money in another currency',
        async ({ txid }) => {
          await shop.pay(txid, { currency: 'USD' });
          await shop.cancel(txid);
        },
        201,
      ],
    ])('use the id of an order that is %s, or do not', async (_, end, status) => {
      const order = await shop.order();
      await end(order);
      const { orderMerchantId } = order;
      const reply = await post(newOrder({ orderMerchantId, amount: 77 }));
      expect(reply.status).toBe(status);
      expect((await byId(orderMerchantId)).amount).toBe(status === 201 ? 77 : 8990);
    });
  });
});

describe('a request that came too fast', () => {
  it('is not remembered', async () => {
    const app = await TestApp.start({ env: { RATE_LIMITS: 'on', RATE_WRITES: '1' } });
    const shop = await app.merchant();
    const [body, key] = [newOrder(), newKey()];
    for (let n = 0; n < 2; n++) await shop.order();
    expect((await shop.call('POST', '/api/order', body, key)).status).toBe(429);
    app.clock.advance(1_000);
    const reply = await shop.call('POST', '/api/order', body, key);
    expect(reply.status).toBe(201);
    expect(reply.headers.has('idempotent-replayed')).toBe(false);
    await app.stop();
  });
});
