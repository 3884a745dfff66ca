import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ORDER_EVENT_TYPES } from '../src/database/notifications/event.entity.js';
import { PUBLISH_MAX } from '../src/database/notifications/event.repository.js';
import { API_VERSIONS, isBefore } from '../src/common/api-version.js';
import type { Client, OrderJson } from './support/client.js';
import { count, select } from './support/facts.js';
import { type EventJson, readAll, readEvents, readOn } from './support/feed.js';
import { together } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();

const idsOf = (events: readonly EventJson[]): string[] => events.map(({ id }) => id);
const typesOf = (events: readonly EventJson[]): string[] => events.map(({ type }) => type);

/** The order's own events, oldest first. */
const eventsOf = async (client: Client, { txid }: OrderJson): Promise<EventJson[]> =>
  (await readAll(client, { limit: 100 })).filter(({ data }) => data.txid === txid);

/** Writes many events at once, as if the order had moved so often. */
const writeEvents = (
  client: Client,
  order: OrderJson,
  from: number,
  to: number,
  type: string,
  eachMs = 1,
) =>
  select(
    app,
    `INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at)
     SELECT $1, gen_random_uuid(), $2, 'test', n, $5, '{"status": "open"}',
       $6::timestamptz + n * $7::float8 * interval '1 ms' FROM generate_series($3::int, $4::int) n`,
    [client.merchantId, order.txid, from, to, type, app.clock.now(), eachMs],
  );

describe('an event', () => {
  it.each(API_VERSIONS)('has the order as it was, in version %s', async (version) => {
    const client = await app.merchant({ apiVersion: version });
    const optional = isBefore(version, '1.2') ? {} : { optionalFields: { table: '7' } };
    const { txid } = (await client.create(optional)).body;
    // As it is read: creating alone answers with `warnings`.
    const { body: created } = await client.call<OrderJson>('GET', `/api/order/${txid}`);
    app.clock.advance(5_000);
    await client.pay(txid);
    const { body: paid } = await client.call<OrderJson>('GET', `/api/order/${txid}`);
    app.clock.advance(5_000);

    const { body, headers } = await readEvents(client);
    expect(headers.get('api-version')).toBe(version);
    expect(typesOf(body.data)).toEqual(['order.created', 'order.processing', 'order.paid']);
    expect(body.data.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    const [first, , last] = body.data;
    expect(first).toEqual({
      id: expect.any(String),
      type: 'order.created',
      timestamp: created['createdAt'],
      sequence: 1,
      data: created,
    });
    expect(created.status).toBe('open');
    expect(last).toMatchObject({ timestamp: paid['paidAt'], data: paid });
    expect(last!.data).toEqual(paid);
    expect(paid.status).toBe('paid');
  });

  it('is rendered in the version that the request asks for', async () => {
    const client = await app.merchant({ apiVersion: '1.0' });
    const order = await client.order();
    await client.pay(order.txid);
    const payerIn = async (version: string) => {
      const { body } = await readEvents(client, {}, { 'api-version': version });
      return body.data[2]!.data.payment!['payerAccountName'];
    };
    expect(await payerIn('1.2.1')).toBeUndefined();
    expect(await payerIn('1.2.2')).toBe('Erika Mustermann');
  });

  it('tells who paid from the end of the payment on, and not before', async () => {
    const order = await shop.order();
    await shop.pay(order.txid);
    const [created, processing, paid] = await eventsOf(shop, order);
    expect(created!.data.payment).toBeNull();
    expect(processing!.data).toMatchObject({
      status: 'processing',
      amountReceived: 0,
      paidAt: null,
      payment: {
        status: 'pending',
        completedAt: null,
        payerAccountNumber: null,
        payerAccountType: null,
        payerAccountName: null,
      },
    });
    expect(paid!.data.payment).toMatchObject({
      status: 'succeeded',
      payerAccountNumber: 'DE89370400440532013000',
      payerAccountName: 'Erika Mustermann',
    });
  });

  it('keeps a payment that failed, when another one paid the order', async () => {
    const order = await shop.order();
    await shop.pay(order.txid, { outcome: 'declined' });
    await shop.pay(order.txid);
    const events = await eventsOf(shop, order);
    expect(typesOf(events)).toEqual([
      'order.created',
      'order.processing',
      'payment.failed',
      'order.processing',
      'order.paid',
    ]);
    const [, , failed, again, paid] = events.map(({ data }) => data);
    expect(failed).toMatchObject({ status: 'open', payment: { status: 'failed' } });
    expect(failed!.payment!['error']).toMatchObject({ code: expect.any(String) });
    expect(again!.payment).toMatchObject({ status: 'pending', error: null });
    expect(paid!.payment!['id']).toBe(again!.payment!['id']);
    expect(paid!.payment!['id']).not.toBe(failed!.payment!['id']);
  });
});

describe('the feed', () => {
  it('is the same on pages of every size', async () => {
    const client = await app.merchant();
    await together(async () => {
      const { txid } = await client.order();
      await client.pay(txid);
    });
    const all = await readAll(client, { limit: 100 });
    expect(all).toHaveLength(60);
    expect(new Set(idsOf(all)).size).toBe(60);
    for (let limit = 1; limit <= 100; limit++) {
      const { pages, next } = await readOn(client, null, { limit });
      expect(pages.flatMap(({ data }) => data)).toEqual(all);
      const sizes = pages.map(({ data }) => data.length);
      expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
      expect(pages.map((page) => page.next)).toEqual(pages.map(({ data }) => data.at(-1)!.id));
      expect(next).toBe(all.at(-1)!.id);
    }
  });

  it('has 25 events on a page unless told otherwise, under either path', async () => {
    const client = await app.merchant();
    await writeEvents(client, await client.order(), 2, 30, 'order.processing');
    const { body } = await readEvents(client);
    expect(body).toMatchObject({ hasMore: true, next: body.data.at(-1)!.id });
    expect(body.data).toHaveLength(25);
    expect((await client.call('GET', '/api/v1/event')).body).toEqual(body);
  });

  it('goes on after any event, and stays where it is when nothing came', async () => {
    const client = await app.merchant();
    const { txid } = await client.order();
    await client.pay(txid);
    const all = await readAll(client);
    for (const [n, { id }] of all.entries()) {
      const { body } = await readEvents(client, { after: id.toUpperCase() });
      expect(idsOf(body.data)).toEqual(idsOf(all.slice(n + 1)));
      expect(body).toMatchObject({ next: all.at(-1)!.id, hasMore: false });
    }
  });

  it('starts at its end with after=latest', async () => {
    const client = await app.merchant();
    const empty = { data: [], next: null, hasMore: false };
    expect((await readEvents(client, { after: 'latest' })).body).toEqual(empty);
    expect((await readEvents(client)).body).toEqual(empty);
    const first = await client.order();
    const [created] = await readAll(client);
    expect(created).toMatchObject({ type: 'order.created', data: { txid: first.txid } });

    const second = await client.order();
    const { body: end } = await readEvents(client, { after: 'latest' });
    expect(end).toEqual({ data: [], next: expect.any(String), hasMore: false });
    expect((await readEvents(client, { after: end.next! })).body).toEqual(end);
    expect(end.next).toBe((await eventsOf(client, second))[0]!.id);
    await client.cancel(second.txid);
    const { body: later } = await readEvents(client, { after: end.next! });
    expect(typesOf(later.data)).toEqual(['order.cancelled']);
  });

  it.each(['null', ''])(
    'goes on from its beginning with the %j of a feed without events',
    async (after) => {
      const client = await app.merchant();
      const { body: empty } = await readEvents(client, { after });
      expect(empty).toEqual({ data: [], next: null, hasMore: false });
      const { txid } = await client.order();
      const { body } = await readEvents(client, { after });
      expect(body.data.map(({ data }) => data.txid)).toEqual([txid]);
    },
  );

  it('goes on after an event that a webhook brought before the feed had it', async () => {
    const client = await app.merchant();
    const order = await client.order();
    await client.cancel(order.txid);
    const known = await select<{ id: string; position: null }>(
      app,
      'SELECT id, position FROM events WHERE txid = $1 ORDER BY sequence',
      [order.txid],
    );
    expect(known.map(({ position }) => position)).toEqual([null, null]);
    const { body } = await readEvents(client, { after: known[0]!.id });
    expect(idsOf(body.data)).toEqual([known[1]!.id]);
  });

  it('leaves out what has another type', async () => {
    const client = await app.merchant();
    await together(async (n) => {
      const { txid } = await client.order();
      if (n % 2) await client.pay(txid);
      else await client.cancel(txid);
    });
    const all = await readAll(client);
    for (const types of [['order.paid'], ['order.created', 'order.cancelled'], ORDER_EVENT_TYPES]) {
      const wanted = all.filter(({ type }) => (types as readonly string[]).includes(type));
      for (const limit of [1, 3, 10, 100]) {
        expect(await readAll(client, { type: types.join(','), limit })).toEqual(wanted);
      }
    }
    const { body } = await readEvents(client, { type: 'order.expired' });
    expect(body).toEqual({ data: [], next: all.at(-1)!.id, hasMore: false });
  });

  it('looks at so many places in one call, and no more', async () => {
    const client = await app.merchant();
    const order = await client.order();
    await writeEvents(client, order, 2, 12_000, 'order.processing');
    await writeEvents(client, order, 12_001, 12_001, 'order.paid');
    const published = 'merchant_id = $1 AND position IS NOT NULL';

    const { body: first } = await readEvents(client, { type: 'order.paid' });
    expect(first).toEqual({ data: [], next: expect.any(String), hasMore: true });
    expect(await count(app, 'events', published, [client.merchantId])).toBe(PUBLISH_MAX);
    const { pages, next } = await readOn(client, null, { type: 'order.paid' });
    expect(pages.map(({ data }) => data.length)).toEqual([0, 0, 1]);
    const repeated = await shop.call('GET', '/api/event?type=order.paid&type=order.failed');
    const listed = await shop.call('GET', '/api/event?type=order.paid,order.failed');
    expect([repeated.status, repeated.body]).toEqual([200, listed.body]);
    expect(pages[0]!.next).toBe(first.next);
    expect(next).toBe(pages[2]!.data[0]!.id);
  });

  it('begins at a time, wherever that is among thousands', async () => {
    const client = await app.merchant();
    const order = await client.order();
    await writeEvents(client, order, 2, 12_000, 'order.processing', 60_000);
    const all = await readAll(client, { limit: 100 });
    expect(all).toHaveLength(12_000);
    for (const n of [0, 1, 7_777, 11_998, 11_999]) {
      const from = all[n]!.timestamp;
      const { body } = await readEvents(client, { from, limit: 2 });
      expect(idsOf(body.data)).toEqual(idsOf(all.slice(n, n + 2)));
      const { body: next } = await readEvents(client, { from, after: body.next!, limit: 2 });
      expect(idsOf(next.data)).toEqual(idsOf(all.slice(n + 2, n + 4)));
    }
    const late = new Date(Date.parse(all.at(-1)!.timestamp) + 1).toISOString();
    const { body } = await readEvents(client, { from: late });
    expect(body).toEqual({ data: [], next: all.at(-1)!.id, hasMore: false });
    const offset = all[7_777]!.timestamp.replace('Z', '+00:00');
    expect((await readEvents(client, { from: offset, limit: 1 })).body.data).toEqual([all[7_777]]);
  });

  it('skips nothing of a time where places do not follow times', async () => {
    const client = await app.merchant();
    const order = await client.order();
    const begun = app.clock.now().getTime();
    // Each round is published before the next is written, some of which is earlier.
    let sequence = 2;
    for (const minutes of [1, 3, 2, 5, 3, 4, 6, 9, 7, 8, 30, 29]) {
      await writeEvents(
        client,
        order,
        sequence,
        sequence,
        'order.processing',
        (minutes / sequence) * 60_000,
      );
      sequence++;
      await readAll(client);
    }
    const all = await readAll(client, { limit: 100 });
    for (let minutes = 0; minutes <= 31; minutes++) {
      const from = new Date(begun + minutes * 60_000).toISOString();
      const expected = all.filter(({ timestamp }) => timestamp >= from);
      expect(await readAll(client, { from, limit: 3 })).toEqual(expected);
    }
  });

  it('has the events of some orders alone', async () => {
    const client = await app.merchant();
    const orders = [await client.order(), await client.order(), await client.order()];
    await client.pay(orders[2]!.txid);
    await client.pay(orders[0]!.txid);
    const all = await readAll(client);
    for (const some of [orders.slice(0, 1), orders.slice(1), orders]) {
      const txids = some.map(({ txid }) => txid);
      const expected = all.filter(({ data }) => txids.includes(data.txid));
      const txid = txids.join(',').toUpperCase();
      expect(await readAll(client, { txid })).toEqual(expected);
      expect(await readAll(client, { txid, limit: 1 })).toEqual(expected);
      const paid = expected.filter(({ type }) => type === 'order.paid');
      expect(await readAll(client, { txid, type: 'order.paid' })).toEqual(paid);
    }
    const repeated = orders.map(({ txid }) => `txid=${txid}`).join('&');
    const { body } = await client.call('GET', `/api/event?${repeated}`);
    expect(body['data']).toEqual(all);
    const { txid } = orders[0]!;
    expect((await readEvents(await app.merchant(), { txid })).body.data).toEqual([]);
    const live = await app.key(client.merchantId, { mode: 'live' });
    expect((await readEvents(live, { txid })).body.data).toEqual([]);
  });

  it('finds its end, and an event that a webhook brought, behind thousands', async () => {
    const thousands = async () => {
      const client = await app.merchant();
      const order = await client.order();
      await writeEvents(client, order, 2, 2 * PUBLISH_MAX + 10, 'order.processing');
      const last = await select<{ id: string }>(
        app,
        'SELECT id FROM events WHERE txid = $1 ORDER BY sequence DESC LIMIT 1',
        [order.txid],
      );
      return { client, last: last[0]!.id };
    };
    for (const after of ['latest', 'id']) {
      const { client, last } = await thousands();
      const { body } = await readEvents(client, { after: after === 'id' ? last : after });
      expect(body).toEqual({ data: [], next: last, hasMore: false });
    }
  });

  it('is of one merchant and one mode', async () => {
    const client = await app.merchant();
    const live = await app.key(client.merchantId, { mode: 'live' });
    const own = await client.order();
    const [foreign] = await eventsOf(shop, await shop.order());
    expect(await readAll(client)).toMatchObject([{ data: { txid: own.txid } }]);
    expect(await readAll(live)).toEqual([]);
    for (const [reader, { id }] of [
      [client, foreign!],
      [live, (await readAll(client))[0]!],
    ] as const) {
      const reply = await readEvents(reader, { after: id });
      expect(reply).toMatchObject({ status: 400, body: { code: 'unknown_event' } });
    }
  });

  it('needs its own scope', async () => {
    const key = await app.key(shop.merchantId, { scopes: ['orders:read', 'notifications:read'] });
    expect(await readEvents(key)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', missingScope: 'events:read' },
    });
  });

  it.each([
    ['after=last', 'unknown_event', /after/],
    [`after=${randomUUID()}`, 'unknown_event', /`latest`/],
    [`after=latest&after=latest`, 'invalid_parameter', /`after` must be sent only once/],
    ['limit=0', 'invalid_parameter', /`limit` must be a whole number from 1 to 100/],
    ['limit=101', 'invalid_parameter', /`limit`/],
    ['limit=', 'invalid_parameter', /`limit`/],
    ['limit=ten', 'invalid_parameter', /`limit`/],
    ['limit=5&limit=5', 'invalid_parameter', /`limit`/],
    ['from=yesterday', 'invalid_parameter', /`from` must be a time such as/],
    ['txid=', 'invalid_parameter', /`txid` must be identifiers of orders/],
    [`txid=${Array.from({ length: 101 }, () => randomUUID()).join()}`, 'invalid_parameter', /100/],
    ['type=', 'invalid_parameter', /`type` must be some of order.created, /],
    ['type=order', 'invalid_parameter', /`type`/],
    ['type=order.paid,', 'invalid_parameter', /`type`/],
    ['type=order.paid&type=order.odd', 'invalid_parameter', /`type`/],
    ['types=order.paid', 'unknown_parameter', /types/],
  ])('refuses ?%s as %s', async (query, code, detail) => {
    const reply = await shop.call('GET', `/api/event?${query}`);
    expect(reply).toMatchObject({
      status: 400,
      body: { code, detail: expect.stringMatching(detail) },
    });
  });
});
