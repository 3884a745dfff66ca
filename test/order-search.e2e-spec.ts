import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { toMajorUnits } from '../src/common/money/money.js';
import { Database } from '../src/database/database.js';
import { MerchantRepository } from '../src/database/merchants/merchant.repository.js';
import type {
  OrderCursor,
  OrderFilter,
} from '../src/database/read-models/order-list/order-list.model.js';
import { OrderListRepository } from '../src/database/read-models/order-list/order-list.repository.js';
import { API_VERSIONS } from '../src/common/api-version.js';
import { IDS_MAX } from '../src/http/query.js';
import { readSearch } from '../src/order-search/search-query.js';
import { parseFilter } from '../src/portal/order-list/order-filter.js';
import type { Client, OrderJson } from './support/client.js';
import { onPostgres } from './support/database.js';
import { EVERYTHING, exported, requestOf, rowsIn } from './support/exports.js';
import { select } from './support/facts.js';
import { insertPayouts } from './support/order-list-payouts.js';
import { expectedRows } from './support/order-list-model.js';
import {
  again,
  anyFilter,
  identifiersOf,
  insertSamples,
  type Sample,
  samplesOf,
} from './support/order-list-samples.js';
import { parametersOf, search, searchAll, searchFile } from './support/order-search.js';
import { openShop } from './support/shop.js';

const RUNS = 6;
const ORDERS = 60;
const FILTERS = 8;

const { app, shop } = await openShop();

const ids = (rows: readonly { readonly txid?: string }[]): string[] =>
  rows.map(({ txid }) => txid!);

async function someOrders(client: Client, count: number): Promise<Sample[]> {
  const drawn = samplesOf([client.merchantId], { min: count, max: count });
  const [samples] = fc.sample(drawn, 1) as [Sample[]];
  await insertSamples(app, samples);
  return samples;
}

describe('a search', () => {
  /** What the portal lists, newest first. */
  async function listed(client: Client, filter: OrderFilter): Promise<string[]> {
    const scope = { merchantId: client.merchantId, mode: 'test' } as const;
    const found: string[] = [];
    for (let cursor: OrderCursor | null = null; ;) {
      const window = { cursor, direction: 'older', limit: 25 } as const;
      const { rows, hasOlder } = await app.get(OrderListRepository).page(scope, filter, window);
      found.push(...ids(rows));
      const last = rows.at(-1);
      if (!hasOlder || !last) return found;
      const time = (filter.basis === 'paid' ? last.paidAt : last.createdAt)!;
      cursor = { time, txid: last.txid };
    }
  }

  const sumsOf = (orders: readonly OrderJson[]) =>
    [...Map.groupBy(orders, ({ currency }) => currency as string)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, all]) => {
        const sum = (name: string) =>
          all.reduce((total, order) => total + BigInt(order[name] as number), 0n);
        return {
          currency,
          orders: all.length,
          amount: sum('amount'),
          amountReceived: sum('amountReceived'),
          amountRefunded: sum('amountRefunded'),
        };
      });

  it('finds what the portal lists and its file has, in their order, with their sums', async () => {
    const clients = [await app.merchant(), await app.merchant()];
    const payouts = await insertPayouts(
      app,
      clients.map(({ merchantId }) => merchantId),
    );
    const drawn = fc.record({
      samples: samplesOf(
        clients.map(({ merchantId }) => merchantId),
        { min: 1, max: ORDERS },
        payouts,
      ),
      filters: fc.array(anyFilter(payouts), { minLength: FILTERS, maxLength: FILTERS }),
      limit: fc.integer({ min: 3, max: 100 }),
    });
    const everything: Sample[] = [];
    let [looked, found] = [0, 0];
    const run = fc.asyncProperty(fc.integer(), async (seed) => {
      const [{ samples, filters, limit }] = fc.sample(drawn, { numRuns: 1, seed }) as [
        typeof drawn extends fc.Arbitrary<infer T> ? T : never,
      ];
      const written = samples.map((sample) => again(sample));
      await insertSamples(app, written);
      everything.push(...written);
      for (const [n, drawnFilter] of [...filters, EVERYTHING, EVERYTHING].entries()) {
        const client = clients[n % 2]!;
        const named = n % 4 === 0 ? ids(written).slice(0, IDS_MAX) : null;
        const filter = { ...drawnFilter, payerSight: 'full', txids: named } as const;
        if (filter.from && filter.until && filter.until <= filter.from) continue;
        if (isTurned(filter)) continue;
        const scope = { merchantId: client.merchantId, mode: 'test' } as const;
        const parameters = parametersOf(filter);

        const expected = ids(expectedRows(everything, scope, filter));
        const newest = await searchAll(client, { ...parameters, limit: String(limit) });
        expect({ parameters, found: ids(newest) }).toEqual({ parameters, found: expected });
        expect(await listed(client, filter)).toEqual(expected);
        const oldest = await searchAll(client, { ...parameters, sort: 'oldest' });
        expect(ids(oldest)).toEqual(expected.toReversed());

        const file = await searchFile(client, parameters);
        expect(file.status).toBe(200);
        const { timeZone } = (await app.get(MerchantRepository).find(client.merchantId))!;
        const portals = await exported(app, requestOf(client, { filter, timeZone }));
        expect(file.text).toBe(portals.toString());
        expect(ids(rowsIn(Buffer.from(file.text)))).toEqual(expected);

        const sums = await app.get(OrderListRepository).sums(scope, filter);
        expect(sums.map(({ fee: _fee, net: _net, ...sum }) => sum)).toEqual(sumsOf(newest));
        looked++;
        found += expected.length;
      }
    });
    await fc.assert(run, { numRuns: RUNS, endOnFailure: true });
    expect(looked).toBeGreaterThan(RUNS * 3);
    expect(found).toBeGreaterThan(0);
  });

  /** Amounts that the API refuses, as the portal does. */
  const isTurned = ({ amountFrom, amountTo }: OrderFilter): boolean =>
    amountFrom !== null && amountTo !== null && amountFrom > amountTo;

  it.each([
    '',
    'status=paid,open&basis=paid',
    'status=paid&status=open&exception=only',
    'exception=paid_late',
    'currency=eur&provider=bank-transfer',
    'field=a%253Db%3D+x+&q=Erika+Mustermann',
    `payout=${randomUUID().toUpperCase()}`,
    'q=14%2C90',
  ])('is read as the address of the portal’s list is: %s', (text) => {
    const query: Record<string, string | string[]> = {};
    const address = new URLSearchParams(text);
    for (const name of new Set(address.keys())) {
      const all = address.getAll(name);
      query[name] = all.length > 1 ? all : all[0]!;
    }
    const reader = { timeZone: 'UTC', role: 'owner', visibility: 'full' } as const;
    const { filter, problems } = parseFilter(address, reader, app.clock.now());
    expect(problems).toEqual([]);
    expect(readSearch(query).filter).toEqual(filter);
  });

  it.each(API_VERSIONS)('tells orders as each operation does, in version %s', async (version) => {
    const client = await app.merchant({ apiVersion: version });
    const paid = await client.order(version === '1.0' ? {} : { optionalFields: { colour: 'red' } });
    await client.pay(paid.txid);
    app.clock.advance(1_000);
    const open = await client.order();
    const { body, headers } = await search(client);
    expect(headers.get('api-version')).toBe(version);
    const read = async ({ txid }: OrderJson) =>
      (await client.call('GET', `/api/order/${txid}`)).body;
    expect(body.data).toEqual([await read(open), await read(paid)]);
    expect(body).toMatchObject({ next: expect.any(String), hasMore: false });
    expect((await client.call('GET', '/api/v1/order/search')).body).toEqual(body);
    expect(await search(client, { status: 'failed' })).toMatchObject({
      status: 200,
      body: { data: [], next: null, hasMore: false },
    });
  });

  it('finds many orders at once by either identifier', async () => {
    const client = await app.merchant();
    const samples = (await someOrders(client, 160)).filter(({ mode }) => mode === 'test');
    const wanted = samples.slice(0, IDS_MAX);
    const expected = new Set(ids(wanted));
    const repeated = wanted.map(({ txid }) => `txid=${txid.toUpperCase()}`).join('&');
    const mine = wanted.map(({ orderMerchantId }) => orderMerchantId);
    for (const query of [repeated, `orderMerchantId=${mine.join(',')}`]) {
      const path = `/api/order/search?limit=100&${query}`;
      const { body } = await client.call<{ data: OrderJson[] }>('GET', path);
      expect(new Set(ids(body.data))).toEqual(expected);
    }
    const both = { txid: ids(samples).slice(0, 2).join(','), orderMerchantId: mine[1]! };
    expect(ids((await search(client, both)).body.data)).toEqual([samples[1]!.txid]);
  });

  it('finds what fits every list and text that is looked for, each of which also stands alone', async () => {
    const client = await app.merchant();
    const samples = await someOrders(client, 160);
    const named = samples.filter(({ mode, payment }) => mode === 'test' && payment?.payerName);
    const [model, twin] = named as [Sample, Sample];
    const things: Partial<OrderFilter>[] = [
      { txids: ids([...named.slice(0, 40), ...samples.slice(0, 40)]) },
      { orderMerchantIds: [...named].reverse().map(({ orderMerchantId }) => orderMerchantId) },
      { payer: model.payment!.payerName!.slice(0, 3) },
      { search: toMajorUnits(model.amount, model.currency) },
      { search: twin.payment!.payerName! },
    ];
    const scope = { merchantId: client.merchantId, mode: 'test' } as const;
    let found = 0;
    for (let chosen = 1; chosen < 2 ** things.length; chosen++) {
      const some = things.filter((_, n) => chosen & (2 ** n));
      for (const part of [{}, { basis: 'paid' }, { provider: 'sandbox' }] as const) {
        const filter = {
          ...EVERYTHING,
          payerSight: 'full',
          ...part,
          ...Object.assign({}, ...some),
        };
        const expected = ids(expectedRows(samples, scope, filter as OrderFilter));
        const parameters = parametersOf(filter as OrderFilter);
        const rows = await searchAll(client, { ...parameters, limit: '50' });
        expect({ parameters, found: ids(rows) }).toEqual({ parameters, found: expected });
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  it('shows nothing of another merchant, or of the other mode', async () => {
    const client = await app.merchant();
    const samples = await someOrders(client, 30);
    const live = await app.key(client.merchantId, { mode: 'live' });
    const stranger = await app.merchant();
    const inMode = (mode: string) => new Set(ids(samples.filter((sample) => sample.mode === mode)));
    for (const [mode, reader] of [
      ['test', client],
      ['live', live],
      ['no', stranger],
    ] as const) {
      expect(new Set(ids(await searchAll(reader)))).toEqual(inMode(mode));
      const { text } = await searchFile(reader);
      expect(new Set(ids(rowsIn(Buffer.from(text))))).toEqual(inMode(mode));
    }
    for (const sample of samples) {
      for (const q of identifiersOf(sample)) {
        expect((await search(stranger, { q })).body.data).toEqual([]);
        const other = sample.mode === 'test' ? live : client;
        expect(ids((await search(other, { q })).body.data)).not.toContain(sample.txid);
      }
      const named = { txid: sample.txid, orderMerchantId: sample.orderMerchantId };
      expect((await search(stranger, named)).body.data).toEqual([]);
    }
  });

  it.each(['newest', 'oldest'] as const)(
    'goes through all orders once while others write, the %s first',
    async (sort) => {
      const client = await app.merchant();
      const before = (await someOrders(client, 80)).filter(({ mode }) => mode === 'test');
      const [first] = before as [Sample];
      const orders = () =>
        select<{ txid: string }>(app, 'SELECT txid FROM orders WHERE merchant_id = $1', [
          client.merchantId,
        ]);
      let writes = 0;
      const found = await searchAll(client, { sort, limit: '7' }, async () => {
        writes++;
        const times = [first.createdAt.getTime() - writes, Date.now() + writes];
        const money = { amountReceived: 0, amountRefunded: 0, fee: null, paidAt: null };
        const plain = {
          ...money,
          status: 'open',
          payment: null,
          hidden: null,
          payouts: [],
        } as const;
        await insertSamples(
          app,
          times.map((ms) => again(first, { ...plain, createdAt: new Date(ms) })),
        );
        const { txid } = before[writes]!;
        const change = `UPDATE orders SET version = version + 1, exception = 'overpaid' WHERE txid = $1`;
        await select(app, change, [txid]);
      });
      expect(writes).toBeGreaterThan(5);
      expect(new Set(ids(found)).size).toBe(found.length);
      expect(ids(found)).toEqual(expect.arrayContaining(ids(before)));
      const { length } = await orders();
      expect(found.length).toBeLessThanOrEqual(length);
    },
  );

  it.each([
    ['colour=red', 'unknown_parameter', /"colour"/],
    ['preset=7d', 'unknown_parameter', /"preset"/],
    ['limit=0', 'invalid_parameter', /`limit`/],
    ['limit=101', 'invalid_parameter', /`limit` must be a whole number from 1 to 100/],
    ['after=', 'invalid_parameter', /`after` must be the `next` of a page/],
    [`after=${randomUUID()}`, 'invalid_parameter', /`after`/],
    ['after=a&after=b', 'invalid_parameter', /`after` must be sent only once/],
    ['sort=up', 'invalid_parameter', /`sort` is not valid. This must be newest or oldest/],
    ['basis=ended', 'invalid_parameter', /`basis`.*created or paid/],
    ['from=2026-01-01', 'invalid_parameter', /`from` must be a time such as/],
    ['to=2026-13-01T00:00:00Z', 'invalid_parameter', /`to` must be a time/],
    ['from=2026-01-01T00:00:00+01:00', 'invalid_parameter', /%2B/],
    [
      'from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z',
      'invalid_parameter',
      /`to` must be later than `from`/,
    ],
    ['status=', 'invalid_parameter', /`status`.*some of open, processing, paid/],
    ['status=paid,PAID', 'invalid_parameter', /`status`/],
    ['exception=none', 'invalid_parameter', /`exception`.*only, underpaid, .* or charged_back/],
    ['currency=EURO', 'invalid_parameter', /`currency`/],
    ['amountFrom=1', 'invalid_parameter', /`amountFrom`.*needs a currency/],
    ['currency=EUR&amountFrom=89.90', 'invalid_parameter', /`amountFrom`.*minor units/],
    ['currency=EUR&amountTo=99999999999999', 'invalid_parameter', /`amountTo`/],
    ['currency=EUR&amountFrom=2&amountTo=1', 'invalid_parameter', /`amountTo`.*below/],
    ['provider=A+B', 'invalid_parameter', /`provider`/],
    ['field=colour', 'invalid_parameter', /`field`/],
    ['payout=1', 'invalid_parameter', /`payout`/],
    ['q=', 'invalid_parameter', /`q`/],
    ['q=%00', 'invalid_parameter', /`q`/],
    [`payer=${'x'.repeat(141)}`, 'invalid_parameter', /`payer`.*140/],
    ['customerEmail=erika', 'invalid_parameter', /`customerEmail`.*whole/],
    ['txid=1', 'invalid_parameter', /`txid` must be identifiers of orders, at most 100/],
    ['txid=', 'invalid_parameter', /`txid`/],
    ['orderMerchantId=a,b+c', 'invalid_parameter', /`orderMerchantId`/],
    [
      `txid=${Array.from({ length: IDS_MAX + 1 }, () => randomUUID()).join()}`,
      'invalid_parameter',
      /at most 100/,
    ],
  ])('refuses ?%s as %s', async (query, code, detail) => {
    for (const accept of ['application/json', 'text/csv']) {
      const reply = await shop.call('GET', `/api/order/search?${query}`, undefined, { accept });
      expect(reply).toMatchObject({
        status: 400,
        body: { code, detail: expect.stringMatching(detail) },
      });
      expect(reply.headers.get('content-type')).toContain('application/problem+json');
    }
  });

  it('needs its scope, and that of payouts to look for one', async () => {
    const blind = await app.key(shop.merchantId, { scopes: ['orders:write', 'payouts:read'] });
    expect(await search(blind)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope', missingScope: 'orders:read' },
    });
    const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    for (const reply of [
      await search(reader, { payout: randomUUID() }),
      await searchFile(reader, { payout: randomUUID() }),
    ]) {
      expect(reply).toMatchObject({
        status: 403,
        body: { code: 'missing_scope', missingScope: 'payouts:read' },
      });
    }
    expect((await search(shop, { payout: randomUUID() })).body).toMatchObject({ data: [] });
  });
});

describe('a search for a file', () => {
  const typeOf = async (accept: string) => {
    const reply = await shop.call('GET', '/api/order/search', undefined, { accept });
    return [reply.status, reply.headers.get('content-type')?.split(';')[0]];
  };

  it.each([
    ['*/*', 'application/json'],
    ['application/json, text/csv', 'application/json'],
    ['text/csv, application/json;q=0.9', 'text/csv'],
    ['text/csv, */*', 'text/csv'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0, */*', 'application/json'],
  ])('with Accept: %s gets %s', async (accept, type) => {
    expect(await typeOf(accept)).toEqual([200, type]);
  });

  it('gets no other type, and no other operation has files', async () => {
    expect(await typeOf('text/html')).toEqual([406, 'application/problem+json']);
    const { txid } = await shop.order();
    const read = await shop.call('GET', `/api/order?txid=${txid}`, undefined, {
      accept: 'text/csv',
    });
    expect(read).toMatchObject({ status: 406, body: { code: 'not_acceptable' } });
  });

  it('has a name, and tells its version and the request', async () => {
    const { headers } = await searchFile(shop);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="orders-test-/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('api-version')).toBe(API_VERSIONS.at(-1));
    expect(headers.get('x-request-id')).toEqual(expect.any(String));
  });

  it('is not part of a file', async () => {
    for (const parameters of [{ limit: '5' }, { sort: 'newest' }]) {
      expect(await searchFile(shop, parameters as never)).toMatchObject({
        status: 400,
        body: { code: 'invalid_parameter', detail: expect.stringMatching(/leave out `sort`/) },
      });
    }
  });

  it('tells nothing of payouts to keys that may not read them', async () => {
    await shop.order();
    const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    const [line = ''] = (await searchFile(shop)).text.split('\n');
    const [own] = (await searchFile(reader)).text.split('\n');
    expect(line).toContain(',payout_id,payout_date,payout_date_utc');
    expect(own).toBe(line.replace(',payout_id,payout_date,payout_date_utc', ''));
  });
});

onPostgres(describe, 'the embedded database has one session')('slow searches', () => {
  it('hold up no order, of the same merchant neither', async () => {
    const client = await app.merchant();
    const searchers = [client, await app.merchant(), await app.merchant()];
    const database = app.get(Database);
    const real = database.query.bind(database);
    const query = jest.spyOn(database, 'query');
    query.mockImplementation((statement, values) =>
      statement.text.startsWith('WITH keys')
        ? real({ name: '', text: 'SELECT pg_sleep(2)' }, [])
        : real(statement, values),
    );
    try {
      const searches = searchers.flatMap((each) => Array.from({ length: 16 }, () => search(each)));
      await new Promise((resolve) => setTimeout(resolve, 300));
      const started = performance.now();
      await Promise.all(Array.from({ length: 30 }, () => client.order()));
      expect(performance.now() - started).toBeLessThan(1_500);
      const states = (await Promise.all(searches)).map(({ status }) => status);
      expect(states.filter((status) => status === 503).length).toBeGreaterThan(0);
    } finally {
      query.mockRestore();
    }
  });
});
