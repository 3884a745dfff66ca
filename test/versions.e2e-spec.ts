import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { API_VERSIONS, isBefore, NEWEST_API_VERSION } from '../src/common/api-version.js';
import { TestApp } from './support/app.js';
import { newOrder, type Reply } from './support/client.js';
import { callOrders, callPayouts } from './support/each-operation.js';
import { PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

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

const START = new Date('2026-01-01T00:00:00.000Z');

const readable = (value: unknown): string => JSON.stringify(value, null, 2);

/**
 * The answers are what they were when the version was released: those files are never changed.
 * `NEW_GOLDEN=1` writes the missing ones, of a version that is about to be released.
 */
function expectGolden(name: string, replies: Record<string, Reply>): void {
  const answers = Object.entries(replies).map(([of, reply]) => [of, withoutChance(reply, app)]);
  // As text: the order of members is what people see in a terminal.
  const actual = readable(Object.fromEntries(answers));
  const file = `test/golden/${name}.json`;
  if (process.env['NEW_GOLDEN'] && !existsSync(file)) writeFileSync(file, `${actual}\n`);
  expect(actual).toBe(readable(JSON.parse(readFileSync(file, 'utf8'))));
}

const { app, shop } = await openShop({ env: PAYS });

describe('the version of the contract', () => {
  const asking = (version: string) => ({ 'api-version': version });

  it.each(API_VERSIONS)('%s: each operation answers as it was released', async (version) => {
    app.clock.set(START);
    const orders = await callOrders(await app.merchant({ apiVersion: version }), version);
    for (const { headers } of Object.values(orders))
      expect(headers.get('api-version')).toBe(version);
    expectGolden(version, orders);
    const payouts = await callPayouts(app, await app.merchant({ apiVersion: version }));
    expectGolden(`${version}-payouts`, payouts);
  });

  it('is the newest for a new key', async () => {
    expect((await shop.create()).headers.get('api-version')).toBe(NEWEST_API_VERSION);
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

  it.each(API_VERSIONS)(
    '%s: a new order is found where its creation says, repeats too',
    async (version) => {
      const client = await app.merchant({ apiVersion: version });
      const [first, key] = [newOrder(), { 'idempotency-key': randomUUID() }];
      const replies = [
        await client.create(first, key),
        await client.create(first, key),
        await client.create(first),
      ];
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 200]);
      for (const { body, headers } of replies) {
        const read = await client.call('GET', headers.get('location')!);
        expect([read.status, read.headers.has('deprecation')]).toEqual([200, false]);
        const { warnings, ...order } = body;
        expect(warnings).toEqual(isBefore(version, '1.3') ? undefined : []);
        expect(read.body).toEqual(order);
      }
      const conflict = await client.create({ ...first, amount: 1 }, { 'idempotency-key': 'other' });
      expect([conflict.status, conflict.headers.has('location')]).toEqual([409, false]);
    },
  );

  it('does not matter to what is stored', async () => {
    const fields = newOrder({ optionalFields: { a: 'b' } });
    const { body } = await shop.call('POST', '/api/order', fields, asking('1.2'));
    const path = `/api/order/${String(body['txid'])}`;
    const old = await shop.call('GET', path, undefined, asking('1.0'));
    expect(old.body).not.toHaveProperty('optionalFields');
    const newest = await shop.call('GET', path, undefined, asking(NEWEST_API_VERSION));
    expect(newest.body).toMatchObject({ optionalFields: { a: 'b' } });
  });
});
