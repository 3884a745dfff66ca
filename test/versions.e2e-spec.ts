import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS, type ApiVersion } from '../src/http/api-version.js';
import v1_0 from './golden/1.0.json' with { type: 'json' };
import v1_2 from './golden/1.2.json' with { type: 'json' };
import v1_2_1 from './golden/1.2.1.json' with { type: 'json' };
import v1_2_2 from './golden/1.2.2.json' with { type: 'json' };
import { TestApp } from './support/app.js';
import { type Client, newOrder, type Reply } from './support/client.js';
import { openShop } from './support/shop.js';

/** What each operation answered when the version was released: never to be changed afterwards. */
const GOLDEN: Readonly<Record<ApiVersion, Readonly<Record<string, unknown>>>> = {
  '1.0': v1_0,
  '1.2': v1_2,
  '1.2.1': v1_2_1,
  '1.2.2': v1_2_2,
};

const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** The answer, with a word in the place of each value that is new every time. */
function withoutChance({ status, text, headers }: Reply, app: TestApp): unknown {
  const body = text
    .replaceAll(app.url, 'https://pay.example')
    .replaceAll(UUID, '<uuid>')
    .replaceAll(/\/pay\/[\w-]{32}/g, '/pay/<token>')
    .replaceAll(/"providerReference":"[\w-]{32}"/g, '"providerReference":"<reference>"');
  const names = ['deprecation', 'sunset'].filter((name) => headers.has(name));
  return { status, headers: names, body: JSON.parse(body) as unknown };
}

const readable = (value: unknown): string => JSON.stringify(value, null, 2);

/** Calls every operation once, and one of them in vain. */
async function callAll(shop: Client, version: ApiVersion): Promise<Record<string, Reply>> {
  const createOrder = await shop.create({
    orderMerchantId: 'INV-1',
    description: 'Two lamps',
    customer: { name: 'Erika', email: 'erika@example.com' },
    returnUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    locale: 'de',
    ...(version === '1.0' ? {} : { optionalFields: { table: '7', colour: 'grün' } }),
  });
  const { txid } = createOrder.body;
  return {
    createOrder,
    simulatePayment: await shop.pay(txid),
    getOrder: await shop.call('GET', '/api/order?orderMerchantId=INV-1'),
    getOrderStatus: await shop.call('GET', '/api/order/status?orderMerchantId=INV-1'),
    getOrderByTxid: await shop.call('GET', `/api/order/${txid}`),
    getOrderStatusByTxid: await shop.call('GET', `/api/order/${txid}/status`),
    cancelOrder: await shop.cancel((await shop.order({ orderMerchantId: 'INV-2' })).txid),
    cancelPaidOrder: await shop.cancel(txid),
  };
}

const { app, shop } = await openShop();

describe('the version of the contract', () => {
  const asking = (version: string) => ({ 'api-version': version });

  it.each(API_VERSIONS)('%s: each operation answers as it was released', async (version) => {
    const pinned = await app.merchant({ apiVersion: version });
    const replies = Object.entries(await callAll(pinned, version));
    for (const [, { headers }] of replies) expect(headers.get('api-version')).toBe(version);
    const answers = replies.map(([name, reply]) => [name, withoutChance(reply, app)] as const);
    // As text: the order of members is what people see in a terminal.
    expect(readable(Object.fromEntries(answers))).toBe(readable(GOLDEN[version]));
  });

  it('is the newest for a new key', async () => {
    expect((await shop.create()).headers.get('api-version')).toBe('1.2.2');
  });

  it('is the header’s, before the key’s', async () => {
    const pinned = await app.key(shop.merchantId, { apiVersion: '1.0' });
    const { txid } = await pinned.order();
    const reply = await pinned.call('GET', `/api/order?txid=${txid}`, undefined, asking('1.2.1'));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('api-version')).toBe('1.2.1');
    expect((await pinned.read(txid)).status).toBe(404);
  });

  it('is echoed with errors too', async () => {
    const unknown = `/api/order?txid=${randomUUID()}`;
    const reply = await shop.call('GET', unknown, undefined, asking('1.2'));
    expect(reply).toMatchObject({ status: 404 });
    expect(reply.headers.get('api-version')).toBe('1.2');
    const invalid = await shop.create({ amount: 0 }, asking('1.2.1'));
    expect(invalid.headers.get('api-version')).toBe('1.2.1');
  });

  it.each(['', '1', '1.1', '2.0', '1.2.3', 'v1.2', '1.2,1.0', '__proto__'])(
    'must be known: %p is not',
    async (version) => {
      const reply = await shop.create({}, asking(version));
      expect(reply).toMatchObject({
        status: 400,
        body: { code: 'unknown_api_version', supported: API_VERSIONS },
      });
      for (const supported of API_VERSIONS) expect(reply.body['detail']).toContain(supported);
    },
  );

  it('1.0 refuses optional fields and names the version that has them', async () => {
    const reply = await shop.create({ optionalFields: { a: 'b' } }, asking('1.0'));
    expect(reply).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/optionalFields', code: 'field_not_in_this_version' }] },
    });
    expect(reply.text).toContain('version 1.2');
    expect((await shop.create({ optionalFields: null }, asking('1.0'))).status).toBe(201);
  });

  it('1.0 has no look-up by selector', async () => {
    const { txid, orderMerchantId } = await shop.order();
    for (const path of [
      `/api/order?txid=${txid}`,
      `/api/order?orderMerchantId=${orderMerchantId}`,
      `/api/order/status?orderTransactionId=${txid}`,
      '/api/order',
    ]) {
      const reply = await shop.call('GET', path, undefined, asking('1.0'));
      expect(reply).toMatchObject({
        status: 404,
        body: { code: 'not_in_this_version', since: '1.2' },
      });
    }
  });

  it('does not matter to what is stored', async () => {
    const fields = newOrder({ optionalFields: { a: 'b' } });
    const { body } = await shop.call('POST', '/api/order', fields, asking('1.2'));
    const path = `/api/order/${String(body['txid'])}`;
    const old = await shop.call('GET', path, undefined, asking('1.0'));
    expect(old.body).not.toHaveProperty('optionalFields');
    const newest = await shop.call('GET', path, undefined, asking('1.2.2'));
    expect(newest.body).toMatchObject({ optionalFields: { a: 'b' } });
  });
});
