import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiKeysService } from '../src/merchants/api-keys.service.js';
import { TestApp } from './support/app.js';
import { type Client, newOrder, type OrderJson, type Reply } from './support/client.js';
import { select } from './support/facts.js';
import { openShop } from './support/shop.js';

/** Everything that nobody needs a key for; all else must ask for one. */
const PUBLIC =
  /^\/(portal|pay|refund-account|sandbox-bank|provider-callback|notification-recipient|health|metrics|errors|changelog|docs)(\/|$)|^\/$/;

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Reads Fastify's drawing of its routes: a branch of the tree is four characters deep. */
function routesOf(app: TestApp): Route[] {
  const drawing = app.nest.getHttpAdapter().getInstance().printRoutes();
  const above: string[] = [];
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', segment = '', methods = ''] =
      /^([│ ├└─]*)(\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    above.splice(depth - 1, Infinity, segment);
    const path = above.join('');
    return methods.split(', ').flatMap((method) => (method ? [{ method, path }] : []));
  });
}

const { app, shop } = await openShop();

describe('who may call', () => {
  const as = (authorization: string) =>
    shop.call('GET', `/api/order?txid=${randomUUID()}`, undefined, { authorization });

  const works = async ({ secret }: Client): Promise<boolean> => {
    const { status } = await as(`Bearer ${secret}`);
    expect([401, 404]).toContain(status);
    return status === 404;
  };

  describe('the routes of the service', () => {
    it('ask for a key, but for those that are public on purpose', async () => {
      const routes = routesOf(app).filter(({ path }) => path !== '*');
      const paths = routes.map(({ path }) => path);
      for (const path of ['/api/order', '/api/v1/order/:txid/status', '/pay/:token/start']) {
        expect(paths).toContain(path);
      }
      const guarded = routes.filter(({ path }) => !PUBLIC.test(path));
      expect(guarded.length).toBeGreaterThan(10);
      for (const { method, path } of guarded) {
        const url = app.url + path.replaceAll(/:\w+/g, randomUUID());
        const reply = await fetch(url, { method });
        expect([method, path, reply.status]).toEqual([method, path, 401]);
        expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer realm=/);
      }
    });
  });

  it.each([
    ['no scheme', 'KEY'],
    ['no key', 'Bearer'],
    ['no key, but a space', 'Bearer '],
    ['another scheme', 'Basic KEY'],
    ['a text', 'Bearer key'],
    ['two keys', 'Bearer KEY, Bearer KEY'],
    ['more behind the key', 'Bearer KEY x'],
    ['a cut key', 'Bearer CUT'],
    ['a longer key', 'Bearer KEYx'],
    ['a key in capitals', 'Bearer UPPER'],
    ['a key of the other mode', 'Bearer LIVE'],
    ['a key that nobody has', `Bearer pos_test_${'A'.repeat(43)}`],
    ['a quote', `Bearer pos_test_' OR 1=1 --`],
  ])('is refused with %s', async (_, header) => {
    const { secret } = shop;
    const authorization = header
      .replaceAll('KEY', secret)
      .replace('CUT', secret.slice(0, -1))
      .replace('UPPER', secret.toUpperCase())
      .replace('LIVE', secret.replace('test', 'live'));
    const reply = await as(authorization);
    expect(reply).toMatchObject({ status: 401, body: { code: 'unauthorized', retryable: false } });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer realm="orders"');
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(reply.text).not.toContain(secret);
  });

  it('is refused without the header, wherever else the key stands', async () => {
    const { secret } = shop;
    for (const url of ['/api/order?txid=1', `/api/order?api_key=${secret}`, '/api/order/1']) {
      expect((await fetch(app.url + url)).status).toBe(401);
    }
    const headers = { cookie: `key=${secret}`, 'x-api-key': secret };
    expect((await fetch(`${app.url}/api/order`, { headers })).status).toBe(401);
  });

  it('may write the scheme in any case', async () => {
    expect((await as(`bearer ${shop.secret}`)).status).toBe(404);
    expect((await as(`BEARER ${shop.secret}`)).status).toBe(404);
  });

  it('has a key that is kept as a hash only', async () => {
    expect(shop.secret).toMatch(/^pos_test_[A-Za-z0-9_-]{43}$/);
    const [row] = await select(app, 'SELECT * FROM api_keys WHERE id = $1', [shop.keyId]);
    const hash = createHash('sha256').update(shop.secret).digest();
    expect(row?.['key_hash']).toEqual(hash);
    expect(JSON.stringify(row)).not.toContain(shop.secret.slice(9));
  });

  it('may do what the scopes of the key say', async () => {
    const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    const writer = await app.key(shop.merchantId, { scopes: ['orders:write'] });
    const { txid } = await writer.order();
    const read = (client: Client) => [
      client.read(txid),
      client.call('GET', `/api/order/${txid}`),
      client.call('GET', `/api/order/status?orderTransactionId=${txid}`),
      client.call('GET', `/api/order/${txid}/status`),
    ];
    const write = (client: Client) => [client.create(), client.pay(txid), client.cancel(txid)];
    for (const { status } of await Promise.all(read(reader))) expect(status).toBe(200);
    for (const reply of await Promise.all(write(reader))) {
      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'missing_scope', missingScope: 'orders:write' },
      });
    }
    for (const reply of await Promise.all(read(writer))) {
      expect(reply).toMatchObject({ status: 403, body: { missingScope: 'orders:read' } });
    }
    expect((await reader.read(txid)).body.status).toBe('open');
  });

  describe('that may not read orders', () => {
    const customer = { name: 'Max Muster', email: 'max@payer.example' };
    const PEOPLE = /Muster|DE8937|iban|max@/i;
    let writer: Client;

    beforeAll(async () => {
      writer = await app.key(shop.merchantId, { scopes: ['orders:write'] });
    });

    const create = (who: Client, body: unknown, headers: Record<string, string> = {}) =>
      who.call<OrderJson>('POST', '/api/order', body, headers);

    function expectNobody(reply: Reply<OrderJson>): void {
      expect(reply.status).toBeLessThan(300);
      expect(reply.text).not.toMatch(PEOPLE);
      expect(reply.body).toMatchObject({ txid: expect.any(String), customer: null });
    }

    it('is not told who pays by what it does', async () => {
      const made = await create(writer, newOrder({ customer }));
      expectNobody(made);
      const { txid } = made.body;
      expectNobody(await writer.pay(txid, { outcome: 'declined' }));
      expectNobody(await writer.cancel(txid));
      expect((await shop.read(txid)).text).toMatch(PEOPLE);
    });

    it('is not told who paid by a repeat', async () => {
      const body = newOrder({ customer });
      const { txid } = (await create(shop, body)).body;
      await shop.pay(txid);
      const repeat = await create(writer, body);
      expectNobody(repeat);
      expect(repeat.body).toMatchObject({
        txid,
        status: 'paid',
        payment: { status: 'succeeded', payerAccountNumber: null, payerAccountName: null },
      });
      const old = await create(writer, body, { 'api-version': '1.2' });
      expectNobody(old);
      expect(old.body.payment).not.toHaveProperty('payerAccountNumber');
      expect((await create(writer, { ...body, amount: 1 })).text).not.toMatch(PEOPLE);
    });

    it('is not told by the answer that another key was given, which that one gets again', async () => {
      const key = { 'idempotency-key': 'people' };
      const body = newOrder({ customer });
      await shop.pay((await create(shop, body)).body.txid);
      const { txid } = await shop.order({ customer });
      const ways = [
        (who: Client) => create(who, body, key),
        (who: Client) => who.cancel(txid, key),
      ];
      for (const send of ways) {
        const first = await send(shop);
        expect(first.text).toMatch(PEOPLE);
        expectNobody(await send(writer));
        expect((await send(shop)).text).toBe(first.text);
      }
    });
  });

  it('is told of a lacking scope before anything about the request', async () => {
    const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    expect((await reader.call('POST', '/api/order', newOrder({ amount: 0 }))).status).toBe(403);
    expect((await reader.cancel(randomUUID())).status).toBe(403);
  });

  it('may call from allowed addresses only', async () => {
    const from = (allowedIps: string[]) => app.key(shop.merchantId, { allowedIps });
    for (const ips of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8'], []]) {
      expect(await works(await from(ips))).toBe(true);
    }
    const elsewhere = await from(['10.0.0.0/8', '::1']);
    const forged = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1' };
    for (const headers of [{}, forged]) {
      const reply = await elsewhere.create({}, headers);
      expect(reply).toMatchObject({ status: 403, body: { code: 'ip_not_allowed' } });
    }
  });

  it('may call until the key expires', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 1_000);
    const key = await app.key(shop.merchantId, { expiresAt });
    expect(await works(key)).toBe(true);
    app.clock.advance(999);
    expect(await works(key)).toBe(true);
    app.clock.advance(1);
    expect(await works(key)).toBe(false);
  });

  it('may call with both keys while one takes over from the other', async () => {
    const [old, next] = [await app.key(shop.merchantId), await app.key(shop.merchantId)];
    const { txid } = await old.order();
    expect((await next.read(txid)).status).toBe(200);
    expect(await app.get(ApiKeysService).revoke(old.keyId)).toBe(true);
    expect(await app.get(ApiKeysService).revoke(old.keyId)).toBe(false);
    app.clock.advance(5_000);
    expect(await works(old)).toBe(false);
    expect(await works(next)).toBe(true);
    expect((await next.read(txid)).status).toBe(200);
  });

  it('may not call with a revoked key that was never used, at once', async () => {
    const key = await app.key(shop.merchantId);
    await app.get(ApiKeysService).revoke(key.keyId);
    expect(await works(key)).toBe(false);
  });

  it('sees when a key was used, to the minute', async () => {
    const key = await app.key(shop.merchantId);
    const lastUse = async (): Promise<Date | null | undefined> => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const keys = await app
        .get(ApiKeysService)
        .list({ merchantId: shop.merchantId, mode: 'test' });
      return keys.find(({ id }) => id === key.keyId)?.lastUsedAt;
    };
    expect(await lastUse()).toBeNull();
    const first = app.clock.now();
    await works(key);
    expect(await lastUse()).toEqual(first);
    app.clock.advance(59_999);
    await works(key);
    expect(await lastUse()).toEqual(first);
    app.clock.advance(1);
    await works(key);
    app.clock.advance(5_000);
    await works(key);
    expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first.getTime() + 60_000);
  });
});
