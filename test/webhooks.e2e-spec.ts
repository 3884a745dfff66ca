import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Scope } from '../src/database/merchants/api-key.entity.js';
import { EVENT_TYPES } from '../src/database/notifications/event.entity.js';
import { NEWEST_API_VERSION } from '../src/common/api-version.js';
import { Resolver } from '../src/notifications/webhooks/resolver.js';
import type { Client, Reply } from './support/client.js';
import { count } from './support/facts.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

interface EndpointJson {
  id: string;
  url: string;
  secret?: string;
  enabled: boolean;
  [member: string]: unknown;
}

const URL = 'https://hooks.lampenladen.example/events';
const PATH = '/api/webhook-endpoint';
const UNKNOWN = randomUUID();

const { app } = await openShop();

describe('webhook endpoints', () => {
  let shop: Client;

  beforeEach(async () => {
    shop = await app.merchant();
    jest
      .spyOn(app.get(Resolver), 'lookup')
      .mockResolvedValue([{ address: '93.184.215.14', family: 4 }]);
  });
  afterEach(() => void jest.restoreAllMocks());

  const create = (
    body: Record<string, unknown> = {},
    client = shop,
  ): Promise<Reply<EndpointJson>> => client.call('POST', PATH, { url: URL, ...body });

  const read = (id: string): Promise<Reply<EndpointJson>> => shop.call('GET', `${PATH}/${id}`);

  it('are created with a secret that is shown only once', async () => {
    const { status, headers, body } = await create();
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${PATH}/${body.id}`);
    const { secret, ...rest } = body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(rest).toEqual({
      id: expect.any(String),
      mode: 'test',
      url: URL,
      description: null,
      eventTypes: [],
      optionalField: null,
      apiVersion: NEWEST_API_VERSION,
      enabled: true,
      disabledReason: null,
      failingSince: null,
      previousSecretUntil: null,
      createdAt: expect.any(String),
      updatedAt: body['createdAt'],
    });
    expect((await read(body.id)).body).toEqual(rest);
    const list = await shop.call('GET', PATH);
    expect(list.body).toEqual({ data: [rest] });
    expect(list.text).not.toContain('whsec_');
  });

  it('keep what was asked for', async () => {
    const asked = {
      url: `${URL}?shop=7`,
      description: 'Lagerverwaltung 🪑',
      eventTypes: ['order.paid', 'payout.paid'],
      apiVersion: '1.2',
    };
    expect((await create(asked)).body).toMatchObject(asked);
    const older = await shop.call('POST', PATH, { url: URL }, { 'api-version': '1.0' });
    expect(older.body).toMatchObject({ apiVersion: '1.0' });
    expect((await shop.call('GET', `/api/v1/webhook-endpoint`)).status).toBe(200);
  });

  it.each<[Record<string, unknown>, string, string]>([
    [{ url: undefined }, '/url', 'required'],
    [{ url: 7 }, '/url', 'wrong_type'],
    [{ url: 'hooks.lampenladen.example' }, '/url', 'address_refused'],
    [{ url: 'http://hooks.lampenladen.example/' }, '/url', 'address_refused'],
    [{ url: 'https://hooks.lampenladen.example:25/' }, '/url', 'address_refused'],
    [{ url: 'https://user:word@hooks.lampenladen.example/' }, '/url', 'address_refused'],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, '/url', 'address_refused'],
    [{ url: 'https://[::ffff:a00:1]/' }, '/url', 'address_refused'],
    [{ url: 'https://localhost/' }, '/url', 'address_refused'],
    [{ description: 'x'.repeat(256) }, '/description', 'too_long'],
    [{ description: 'a\u0000b' }, '/description', 'control_character'],
    [{ description: 'a\u202eb' }, '/description', 'control_character'],
    [{ description: '\ud83d' }, '/description', 'not_well_formed'],
    [{ description: ['a'] }, '/description', 'wrong_type'],
    [{ eventTypes: 'order.paid' }, '/eventTypes', 'wrong_type'],
    [{ eventTypes: ['order.paid', 'order.sold'] }, '/eventTypes/1', 'wrong_format'],
    [{ eventTypes: [7] }, '/eventTypes/0', 'wrong_format'],
    [{ eventTypes: ['payout.draft'] }, '/eventTypes/0', 'wrong_format'],
    [{ eventTypes: [...EVENT_TYPES, 'order.paid'] }, '/eventTypes', 'too_long'],
    [{ apiVersion: '1.1' }, '/apiVersion', 'wrong_format'],
    [{ apiVersion: 1.2 }, '/apiVersion', 'wrong_type'],
    [{ secret: 'whsec_mine' }, '/secret', 'unknown_member'],
    [{ merchantId: UNKNOWN }, '/merchantId', 'unknown_member'],
  ])('refuse %j', async (body, pointer, code) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(reply.body['errors']).toEqual([{ pointer, code, detail: expect.any(String) }]);
  });

  it('refuse a name that leads to a private network, and take one that leads to nothing yet', async () => {
    const lookup = jest.spyOn(app.get(Resolver), 'lookup');
    lookup.mockResolvedValueOnce([
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
    const inside = await create();
    expect(inside.body['errors']).toMatchObject([
      { detail: expect.stringContaining('not public') },
    ]);
    lookup.mockRejectedValueOnce(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    expect((await create()).status).toBe(201);
  });

  it('are saved although nobody tells where their name leads', async () => {
    const lookup = jest.spyOn(app.get(Resolver), 'lookup');
    lookup.mockImplementationOnce(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    const start = performance.now();
    expect((await create()).status).toBe(201);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it('of which there are none are not found without a look at the name', async () => {
    const lookup = jest.spyOn(app.get(Resolver), 'lookup').mockClear();
    const reply = await shop.call('PATCH', `${PATH}/${UNKNOWN}`, { url: 'https://new.example/' });
    expect(reply.status).toBe(404);
    expect(lookup).not.toHaveBeenCalled();
  });

  it('are at most ten in each mode', async () => {
    await rounds(async () => {
      const busy = await app.merchant();
      const live = await app.key(busy.merchantId, { mode: 'live' });
      const replies = await together(() => create({}, busy));
      expect(tally(replies.map(({ status }) => status))).toEqual({ 201: 10, 409: 10 });
      const refused = replies.find(({ status }) => status === 409)!;
      expect(refused.body).toMatchObject({ code: 'too_many_webhook_endpoints' });
      expect((await create({}, live)).status).toBe(201);
      const { id } = replies.find(({ status }) => status === 201)!.body;
      await busy.call('DELETE', `${PATH}/${id}`);
      expect((await create({}, busy)).status).toBe(201);
    });
  });

  it('can be changed, field by field', async () => {
    const { id } = (await create({ description: 'old', eventTypes: ['order.paid'] })).body;
    const change = (body: Record<string, unknown>) =>
      shop.call<EndpointJson>('PATCH', `${PATH}/${id}`, body);
    const before = (await read(id)).body;
    const later = { ...before, updatedAt: expect.any(String) };
    expect((await change({})).body).toEqual(later);
    expect((await change({ url: `${URL}/2` })).body).toEqual({ ...later, url: `${URL}/2` });
    expect((await change({ description: '' })).body['description']).toBeNull();
    expect((await change({ eventTypes: [] })).body['eventTypes']).toEqual([]);
    expect((await change({ apiVersion: '1.0' })).body['apiVersion']).toBe('1.0');
    const off = { enabled: false, disabledReason: 'by_merchant' };
    expect((await change({ enabled: false })).body).toMatchObject(off);
    expect((await change({ enabled: false })).body).toMatchObject(off);
    const on = { enabled: true, disabledReason: null };
    expect((await change({ enabled: true })).body).toMatchObject(on);
    expect((await change({ url: 'https://10.0.0.1/' })).status).toBe(422);
    expect((await change({ enabled: 'yes' })).status).toBe(422);
    expect((await change({ id: UNKNOWN })).status).toBe(422);
    expect((await read(id)).body).toMatchObject({ url: `${URL}/2`, ...on });
  });

  it('get a new secret', async () => {
    const { id, secret } = (await create()).body;
    const roll = (body?: unknown) => shop.call<EndpointJson>('POST', `${PATH}/${id}/secret`, body);
    const rolled = await roll();
    expect(rolled.status).toBe(200);
    expect(rolled.body.secret).toMatch(/^whsec_/);
    expect(rolled.body.secret).not.toBe(secret);
    const until = (hours: number) =>
      new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString();
    expect(rolled.body['previousSecretUntil']).toBe(until(24));
    expect((await roll({ overlapHours: 168 })).body['previousSecretUntil']).toBe(until(168));
    expect((await roll({ overlapHours: 0 })).body['previousSecretUntil']).toBeNull();
    for (const overlapHours of [-1, 169, 1.5, '24', true]) {
      expect((await roll({ overlapHours })).status).toBe(422);
    }
    expect((await roll('{')).status).toBe(400);
    expect((await roll({ secret: 'mine' })).status).toBe(422);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await shop.call('POST', `${PATH}/${id}/secret`, 'overlapHours=1', form);
    expect(sent.status).toBe(415);
  });

  it('are gone once deleted, with what was on its way', async () => {
    const { id } = (await create()).body;
    await shop.order();
    const pending = `endpoint_id = $1 AND status = 'pending'`;
    expect(await count(app, 'deliveries', pending, [id])).toBe(1);
    const gone = await shop.call('DELETE', `${PATH}/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(await count(app, 'deliveries', pending, [id])).toBe(0);
    expect(await count(app, 'deliveries', `endpoint_id = $1 AND status = 'cancelled'`, [id])).toBe(
      1,
    );
    await shop.order();
    expect(await count(app, 'deliveries', 'endpoint_id = $1', [id])).toBe(1);
    expect((await read(id)).body).toMatchObject({ code: 'webhook_endpoint_not_found' });
    expect((await shop.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await shop.call('GET', PATH)).body).toEqual({ data: [] });
  });

  it('get only events that they want, and none while disabled', async () => {
    const all = (await create()).body.id;
    const paid = (await create({ eventTypes: ['order.paid'] })).body.id;
    const off = (await create()).body.id;
    await shop.call('PATCH', `${PATH}/${off}`, { enabled: false });
    app.clock.advance(1);
    const before = app.clock.now().toISOString();
    const { txid } = await shop.order();
    await shop.pay(txid);
    app.clock.advance(1);
    const queued = (id: string) => count(app, 'deliveries', 'endpoint_id = $1', [id]);
    expect([await queued(all), await queued(paid), await queued(off)]).toEqual([3, 1, 0]);
    for (const path of ['test', 'resend']) {
      const body = path === 'resend' ? { from: before } : undefined;
      const reply = await shop.call('POST', `${PATH}/${off}/${path}`, body);
      expect(reply.status).toBe(202);
    }
    const waiting = `endpoint_id = $1 AND status = 'pending'`;
    expect(await count(app, 'deliveries', waiting, [off])).toBe(4);
  });

  describe('the log of deliveries', () => {
    interface Page {
      data: { id: string; status: string; type: string }[];
      next: string | null;
      hasMore: boolean;
    }
    const page = (id: string, query = '') =>
      shop.call<Page>('GET', `${PATH}/${id}/delivery${query}`);

    it('is read page by page, the newest first', async () => {
      const { id } = (await create()).body;
      expect((await page(id)).body).toEqual({ data: [], next: null, hasMore: false });
      for (let n = 0; n < 5; n++) await shop.order();
      const all = (await page(id)).body;
      expect(all.data).toHaveLength(5);
      expect(all.hasMore).toBe(false);
      expect(all.data.map((each) => each.id)).toEqual(
        all.data
          .map((each) => each.id)
          .toSorted()
          .toReversed(),
      );
      const first = (await page(id, '?limit=3')).body;
      const second = (await page(id, `?limit=3&after=${first.next}`)).body;
      expect([first.hasMore, second.hasMore]).toEqual([true, false]);
      expect([...first.data, ...second.data]).toEqual(all.data);
      expect((await page(id, '?status=pending')).body.data).toHaveLength(5);
      expect((await page(id, '?status=delivered')).body.data).toEqual([]);
      expect(all.data[0]).toMatchObject({ type: 'order.created', attemptCount: 0, resent: false });
    });

    it.each([
      ['?limit=0', 'invalid_parameter'],
      ['?limit=101', 'invalid_parameter'],
      ['?limit=ten', 'invalid_parameter'],
      ['?limit=5&limit=6', 'invalid_parameter'],
      ['?after=1', 'invalid_parameter'],
      ['?status=lost', 'invalid_parameter'],
      ['?page=2', 'unknown_parameter'],
    ])('does not know %s', async (query, code) => {
      const { id } = (await create()).body;
      const reply = await shop.call('GET', `${PATH}/${id}/delivery${query}`);
      expect([reply.status, reply.body['code']]).toEqual([400, code]);
    });
  });

  it.each<[unknown, string, string]>([
    [{}, '/from', 'required'],
    [{ from: 'yesterday' }, '/from', 'wrong_format'],
    [{ from: '2025-13-01T00:00:00Z' }, '/from', 'wrong_format'],
    [{ from: '2025-12-31T00:00:00' }, '/from', 'wrong_format'],
    [{ from: 1_767_139_200 }, '/from', 'wrong_type'],
    [{ from: '2025-12-31T00:00:00Z', to: '2025-12-30T00:00:00Z' }, '/to', 'out_of_range'],
    [{ from: '2025-12-31T00:00:00Z', includeDelivered: 'no' }, '/includeDelivered', 'wrong_type'],
    [{ from: '2025-12-31T00:00:00Z', limit: 5 }, '/limit', 'unknown_member'],
  ])('send nothing again for %j', async (body, pointer, code) => {
    const { id } = (await create()).body;
    const reply = await shop.call('POST', `${PATH}/${id}/resend`, body);
    expect([reply.status, reply.body['errors']]).toMatchObject([422, [{ pointer, code }]]);
  });

  describe('belong to one merchant and mode', () => {
    const OPERATIONS: readonly [method: string, path: string, body: unknown, reads: boolean][] = [
      ['GET', '', undefined, false],
      ['PATCH', '', { enabled: false }, false],
      ['DELETE', '', undefined, false],
      ['POST', '/secret', {}, false],
      ['POST', '/test', undefined, false],
      ['GET', '/delivery', undefined, false],
      ['GET', '/delivery/DELIVERY', undefined, true],
      ['POST', '/delivery/DELIVERY/resend', undefined, true],
      ['POST', '/resend', { from: '2026-01-01T00:00:00Z' }, true],
    ];

    it.each(OPERATIONS)('%s %s', async (method, path, body, reads) => {
      const { id } = (await create()).body;
      await shop.order();
      const log = await shop.call<{ data: { id: string }[] }>('GET', `${PATH}/${id}/delivery`);
      const deliveryId = log.body.data[0]!.id;
      const own = `${PATH}/${id}${path.replace('DELIVERY', deliveryId)}`;
      const others = [await app.merchant(), await app.key(shop.merchantId, { mode: 'live' })];
      for (const other of others) {
        const reply = await other.call(method, own, body);
        expect([reply.status, reply.body['code']]).toEqual([404, 'webhook_endpoint_not_found']);
      }
      for (const unknown of [UNKNOWN, 'x', `${id}0`]) {
        const reply = await shop.call(method, own.replace(id, unknown), body);
        expect([reply.status, reply.body['code']]).toEqual([404, 'webhook_endpoint_not_found']);
      }
      if (path.includes('DELIVERY')) {
        const elsewhere = (await create()).body.id;
        for (const nobodys of [own.replace(id, elsewhere), own.replace(deliveryId, UNKNOWN)]) {
          const reply = await shop.call(method, nobodys, body);
          expect([reply.status, reply.body['code']]).toEqual([404, 'delivery_not_found']);
        }
      }
      const query = await shop.call(method, `${own}?expand=all`, body);
      expect([query.status, query.body['code']]).toEqual([400, 'unknown_parameter']);
      const scope = method === 'GET' ? 'notifications:read' : 'notifications:write';
      const wrong = scope === 'notifications:read' ? 'notifications:write' : 'notifications:read';
      const without = await app.key(shop.merchantId, { scopes: [wrong] });
      const reply = await without.call(method, own, body);
      expect([reply.status, reply.body['missingScope']]).toEqual([403, scope]);
      if (reads) {
        const blind = await (
          await app.key(shop.merchantId, { scopes: [scope] })
        ).call(method, own, body);
        expect([blind.status, blind.body['missingScope']]).toEqual([403, 'events:read']);
      }
      const scopes: Scope[] = reads ? [scope, 'events:read'] : [scope];
      const allowed = await app.key(shop.merchantId, { scopes });
      expect((await allowed.call(method, own, body)).status).toBeLessThan(300);
    });
  });
});
