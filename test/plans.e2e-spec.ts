import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest, describe } from '@jest/globals';
import { DataSource } from 'typeorm';
import { beginOf } from '../src/database/copy/copy-session.js';
import { Database } from '../src/database/database.js';
import { SeedRepository } from '../src/database/demo/seed.repository.js';
import { exportSource } from '../src/database/exports/export-source.statements.js';
import type { OrderKey, Owner } from '../src/database/keys.js';
import { DeliveryLogRepository } from '../src/database/notifications/delivery-log.repository.js';
import { ANY_EVENT, EventRepository } from '../src/database/notifications/event.repository.js';
import { HomeRepository } from '../src/database/read-models/home.repository.js';
import {
  type OrderFilter,
  NO_FILTER as NOTHING,
} from '../src/database/read-models/order-list/order-list.model.js';
import { OrderListRepository } from '../src/database/read-models/order-list/order-list.repository.js';
import { OrderPageRepository } from '../src/database/orders/order-page.repository.js';
import { RefundListRepository } from '../src/database/refunds/refund-list.repository.js';
import { COLUMN_NAMES } from '../src/exports/columns.js';
import { fileStyle } from '../src/exports/presets.js';
import { MerchantsService } from '../src/merchants/merchants.service.js';
import { TestApp } from './support/app.js';
import { onPostgres } from './support/database.js';
import { select, withoutTriggers } from './support/facts.js';
import { payOutSeeded, SEEDED_PAYOUT } from './support/order-list-payouts.js';

const NO_FILTER: OrderFilter = { ...NOTHING, payerSight: 'full' };

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: Plan }[];
}

const EXPLAIN = 'EXPLAIN (FORMAT JSON) ';

/** Names of indexes, tables that are read from end to end, and sorts of everything. */
const scansIn = ({ 'QUERY PLAN': [explained] }: Explained): string[] =>
  nodesOf(explained!.Plan).flatMap((node) => {
    if (node['Index Name']) return [node['Index Name']];
    if (node['Node Type'] === 'Seq Scan') return [`all of ${node['Relation Name']}`];
    return node['Node Type'] === 'Sort' ? ['sort'] : [];
  });

const SEEDED = 40_000;
const NOBODY = '019aa2f0-7c00-7000-8000-0123456789ab';
const PAID_OUT = { orders: 5_000, each: 10 };
const plans = onPostgres(describe, 'they look at plans for tables of some size');

plans('the plans of the portal’s statements', () => {
  let app: TestApp;
  let scope: Owner;

  beforeAll(async () => {
    app = await TestApp.start();
    const { id } = await app.get(MerchantsService).create({ name: 'Lampen' });
    scope = { merchantId: id, mode: 'test' };
    const seed = { merchantId: id, count: SEEDED, days: 365, now: app.clock.now(), run: 'plans' };
    await app.get(SeedRepository).insert(seed);
    await payOutSeeded((sql, values) => select(app, sql, values), id, PAID_OUT);
  });
  afterAll(() => app.stop());

  /** What the statements of `work` read: names of indexes, and tables read from end to end. */
  async function scansOf(work: () => Promise<unknown>): Promise<string[]> {
    const query = jest.spyOn(app.get(Database), 'query');
    await work();
    const calls = [...query.mock.calls];
    query.mockRestore();
    const scans: string[] = [];
    await app.get(DataSource).transaction(async (tx) => {
      // What a table of this size is worth, and not only what is possible.
      await tx.query('SET LOCAL enable_seqscan = on');
      for (const [{ text }, values] of calls) {
        const [row] = await tx.query<Explained[]>(EXPLAIN + text, [...values]);
        scans.push(...scansIn(row!));
      }
    });
    return scans;
  }

  /** How many whole orders a search finds, and how many blocks it reads for that. */
  async function blocksOf(owner: Owner, filter: Partial<OrderFilter>): Promise<[number, number]> {
    const window = { direction: 'older', limit: 101, cursor: null } as const;
    const query = jest.spyOn(app.get(Database), 'query');
    const all = { ...NO_FILTER, ...filter };
    const { length } = await app.get(OrderListRepository).orders(owner, all, window);
    const [{ text }, values] = query.mock.calls.at(-1)!;
    query.mockRestore();
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const [row] = await select<Explained>(app, explain, [...values]);
    const plan = row!['QUERY PLAN'][0]!.Plan;
    return [length, plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!];
  }

  it('of a webhook endpoint’s log read a rare status by its index', async () => {
    const id = randomUUID();
    await select(
      app,
      `INSERT INTO webhook_endpoints (merchant_id, id, mode, url, event_types, api_version, secret, created_at, updated_at)
       VALUES ($1, $2, 'test', 'https://shop.example/hook', '{}', '1.2.2', 'whsec_AAAA', now(), now())`,
      [scope.merchantId, id],
    );
    await select(
      app,
      `INSERT INTO deliveries (merchant_id, id, mode, type, endpoint_id, status, created_at, completed_at)
       SELECT $1, gen_random_uuid(), 'test', 'webhook.test', $2, 'delivered', now(), now()
       FROM generate_series(1, ${SEEDED})`,
      [scope.merchantId, id],
    );
    await select(app, 'ANALYZE deliveries', []);
    const log = app.get(DeliveryLogRepository);
    for (const status of ['failed', 'cancelled'] as const) {
      const page = { after: null, status, limit: 100 };
      const scans = await scansOf(() => log.page({ ...scope, id } as never, page));
      expect(scans).toContain('deliveries_log_of_ended');
    }
  });

  const day = (n: number): Date => new Date(app.clock.now().getTime() - n * 86_400_000);
  const emptied = ['orders', 'payments', 'order_fields', 'payouts', 'payout_lines'].map(
    (table) => `all of ${table}`,
  );

  it.each<[string, Partial<OrderFilter> | (() => Partial<OrderFilter>), string]>([
    ['nothing', {}, 'orders_history'],
    ['days', () => ({ from: day(200), until: day(170) }), 'orders_history'],
    ['the time of payment', { basis: 'paid' }, 'orders_history_paid'],
    ['a frequent status', { statuses: ['paid'] }, 'orders_history_status'],
    ['a rare status', { statuses: ['processing'] }, 'orders_history_status'],
    ['several statuses', { statuses: ['failed', 'processing'] }, 'orders_history_status'],
    ['a frequent currency', { currency: 'EUR' }, 'orders_history'],
    ['a currency without orders', { currency: 'CHF' }, 'orders_history_amount'],
    ['a wide range', { currency: 'EUR', amountFrom: 1000 }, 'orders_history'],
    ['one amount', { currency: 'EUR', amountFrom: 7777, amountTo: 7777 }, 'orders_history_amount'],
    ['a provider', { provider: 'bank-transfer' }, 'payments_history_provider'],
    ['a provider without payments', { provider: 'none' }, 'payments_history_provider'],
    ['exceptions', { exception: 'only' }, 'orders_history_exception'],
    ['one exception', { exception: 'paid_late' }, 'orders_history_exception'],
    ['a frequent field', { field: { name: 'channel', value: 'web' } }, 'order_fields_pk'],
    ['a payout', { payout: SEEDED_PAYOUT }, 'payout_lines_history'],
    [
      'a payout and days',
      () => ({ payout: SEEDED_PAYOUT, from: day(365) }),
      'payout_lines_history',
    ],
    ['a rare field', { field: { name: 'invoice', value: 'R-plans-7' } }, 'order_fields_pk'],
    ['a txid', { search: '019aa2f0-7c00-7000-8000-0123456789ab' }, 'orders_pk'],
    ['an order id', { search: 'seed-plans-7' }, 'orders_order_merchant_id'],
    ['an e-mail', { search: 'Customer7@mail.example' }, 'orders_customer_email'],
    ['a payer', { search: 'Erika Mustermann' }, 'payments_payer_name'],
    ['an account', { search: 'DE89370400440532013000' }, 'payments_payer_account'],
    ['the end of an account', { search: '3000' }, 'payments_payer_account'],
    ['an amount', { search: '14,90' }, 'orders_history_amount'],
  ])('show a filter by %s through %s', async (_, part, index) => {
    const filter = { ...NO_FILTER, ...(typeof part === 'function' ? part() : part) };
    const window = { direction: 'older', limit: 25 } as const;
    const orderList = app.get(OrderListRepository);
    const first = await scansOf(() => orderList.page(scope, filter, { ...window, cursor: null }));
    expect(first).toContain(index);
    const cursor = { time: day(300), txid: NOBODY };
    const deep = await scansOf(() => orderList.page(scope, filter, { ...window, cursor }));
    expect(deep).toContain(index);
    for (const scans of [first, deep]) expect(scans).toContain('payout_lines_order');
    for (const scan of [...first, ...deep]) expect(emptied).not.toContain(scan);
  });

  it.each(['older', 'newer'] as const)(
    'turn to what is %s with a plan that is kept for all merchants',
    async (direction) => {
      const cursor = { time: day(300), txid: NOBODY };
      const window = { direction, limit: 25, cursor };
      const query = jest.spyOn(app.get(Database), 'query');
      await app.get(OrderListRepository).page(scope, NO_FILTER, window);
      const [{ name, text }, values] = query.mock.calls[0]!;
      query.mockRestore();
      expect(name).toMatch(/^order_list_/);
      const runner = app.get(DataSource).createQueryRunner();
      await runner.query('SET plan_cache_mode = force_generic_plan');
      await runner.query(`PREPARE kept AS ${text}`);
      const literals = values.map((value) =>
        value instanceof Date ? `'${value.toISOString()}'` : `'${String(value)}'`,
      );
      const sql = `${EXPLAIN}EXECUTE kept (${literals.join(', ')})`;
      const [row] = (await runner.query(sql)) as Explained[];
      await runner.query('DEALLOCATE kept');
      await runner.query('RESET plan_cache_mode');
      await runner.release();
      const scans = scansIn(row!);
      expect(scans).toContain('orders_history');
      for (const scan of scans) expect(emptied).not.toContain(scan);
    },
  );

  it.each<[string, Partial<OrderFilter>, string]>([
    ['some txids', { txids: [NOBODY, '019aa2f0-7c00-7000-8000-0123456789ac'] }, 'orders_pk'],
    ['some order ids', { orderMerchantIds: ['seed-plans-7', 'x'] }, 'orders_order_merchant_id'],
    ['a payer', { payer: 'Erika Mustermann' }, 'payments_payer_name'],
    ['a payer’s account', { payer: 'DE89370400440532013000' }, 'payments_payer_account'],
    ['a customer', { customerEmail: 'Customer7@mail.example' }, 'orders_customer_email'],
    [
      'a customer and days',
      { customerEmail: 'Customer7@mail.example', from: new Date(0) },
      'orders_customer_email',
    ],
    ['a frequent status', { statuses: ['paid'] }, 'orders_history_status'],
    ['an amount', { search: '14,90' }, 'orders_history_amount'],
    ['a field', { field: { name: 'channel', value: 'web' } }, 'order_fields_pk'],
    ['a provider', { provider: 'bank-transfer' }, 'payments_history_provider'],
    ['exceptions', { exception: 'only' }, 'orders_history_exception'],
    ['one exception', { exception: 'paid_late' }, 'orders_history_exception'],
    ['the time of payment', { basis: 'paid' }, 'orders_history_paid'],
    ['nothing', {}, 'orders_history'],
  ])('find whole orders by %s, in either order and at any depth', async (_, part, index) => {
    const filter = { ...NO_FILTER, ...part };
    const place = { time: day(300), txid: NOBODY };
    for (const direction of ['older', 'newer'] as const) {
      for (const cursor of [null, place]) {
        const window = { direction, cursor, limit: 101 };
        const scans = await scansOf(() =>
          app.get(OrderListRepository).orders(scope, filter, window),
        );
        expect(scans).toContain(index);
        for (const scan of scans) expect(emptied).not.toContain(scan);
      }
    }
  });

  it('find places in the feed and events of an order without reading all', async () => {
    await select(
      app,
      `INSERT INTO events (merchant_id, id, txid, mode, sequence, type, data, created_at, position)
       SELECT merchant_id, gen_random_uuid(), txid, mode, 1, 'order.created', '{"status": "open"}',
         created_at, row_number() OVER (ORDER BY txid) FROM orders WHERE merchant_id = $1`,
      [scope.merchantId],
    );
    await select(app, 'ANALYZE events', []);
    const events = app.get(EventRepository);
    const place = await scansOf(() => events.placeBefore(scope, day(100), SEEDED));
    expect(place).toContain('events_feed');
    const range = { after: 0, to: SEEDED };
    const filter = { ...ANY_EVENT, since: day(300), txids: [NOBODY, NOBODY] };
    const ofOrders = await scansOf(() => events.page(scope, range, filter, 25));
    expect(ofOrders).toContain('events_order');
    for (const scan of [...place, ...ofOrders]) expect(scan).not.toBe('all of events');
  });

  it('find the end of an account for those who see no more of it', async () => {
    const filter: OrderFilter = { ...NO_FILTER, search: '3000', payerSight: 'masked' };
    const window = { direction: 'older', limit: 25, cursor: null } as const;
    const scans = await scansOf(() => app.get(OrderListRepository).page(scope, filter, window));
    expect(scans).toContain('payments_payer_account');
    for (const scan of scans) expect(emptied).not.toContain(scan);
  });

  it('find a payer whom one merchant has seldom and another often, however often that is guessed', async () => {
    const { id } = await app.get(MerchantsService).create({ name: 'Ketten' });
    const seed = { merchantId: id, count: 10_000, days: 365, now: app.clock.now(), run: 'chains' };
    await app.get(SeedRepository).insert(seed);
    await select(
      app,
      `UPDATE payments SET payer_account_name = 'Konrad ' || right(txid::text, 1) WHERE merchant_id = $1`,
      [id],
    );
    await select(
      app,
      `UPDATE payments SET payer_account_name = 'Konrad K' WHERE id IN (
         SELECT DISTINCT ON (txid) id FROM payments
         WHERE merchant_id = $1 AND completes_order ORDER BY txid LIMIT 3)`,
      [scope.merchantId],
    );
    await select(app, 'VACUUM (ANALYZE) payments', []);
    for (const basis of ['created', 'paid'] as const) {
      for (const payer of ['Konrad', 'Konrad K']) {
        const [found, blocks] = await blocksOf(scope, { basis, payer });
        expect(found).toBe(3);
        expect(blocks).toBeLessThan(200);
      }
      const [found, blocks] = await blocksOf(
        { ...scope, merchantId: id },
        { basis, payer: 'Konrad' },
      );
      expect(found).toBe(101);
      expect(blocks).toBeLessThan(8_000);
    }
  });

  it('try lists, texts and currencies that somebody sends never each with each', async () => {
    const named = await select<{ txid: string; id: string; name: string }>(
      app,
      `SELECT o.txid, o.order_merchant_id AS id, p.payer_account_name AS name
       FROM orders o JOIN payments p ON p.merchant_id = o.merchant_id AND p.id = o.payment_id
       WHERE o.merchant_id = $1 AND p.payer_account_name IS NOT NULL ORDER BY o.txid LIMIT 100`,
      [scope.merchantId],
    );
    const txids = named.map(({ txid }) => txid);
    const orderMerchantIds = named.map(({ id }) => id);
    const texts: Partial<OrderFilter>[] = [
      {},
      { payer: named[0]!.name },
      { search: '1000' },
      { payer: '1000', search: '1000' },
      { field: { name: 'channel', value: 'web' } },
      { payout: SEEDED_PAYOUT },
      { provider: 'sandbox', basis: 'paid', search: '1000' },
    ];
    for (const lists of [{ txids }, { orderMerchantIds }, { txids, orderMerchantIds }]) {
      for (const text of texts) {
        const [, blocks] = await blocksOf(scope, { ...lists, ...text });
        expect({ lists: Object.keys(lists), text, isCheap: blocks < 2_500 }).toMatchObject({
          isCheap: true,
        });
      }
    }
  });

  it('look an amount up in every currency, and walk through time for none of them', async () => {
    const { id } = await app.get(MerchantsService).create({ name: 'Einheitspreis' });
    const seed = { merchantId: id, count: 10_000, days: 365, now: app.clock.now(), run: 'same' };
    await app.get(SeedRepository).insert(seed);
    const same = `UPDATE orders SET amount = 100, currency = 'EUR' WHERE merchant_id = $1`;
    await withoutTriggers(app, same, [id]);
    await select(app, `VACUUM (ANALYZE) orders`, []);
    const owner: Owner = { merchantId: id, mode: 'test' };
    for (const filter of [
      {},
      { basis: 'paid' },
      { statuses: ['paid'] },
      { provider: 'sandbox' },
      { field: { name: 'channel', value: 'web' } },
    ] as Partial<OrderFilter>[]) {
      const [, blocks] = await blocksOf(owner, { ...filter, search: '1,00' });
      expect({ filter, isCheap: blocks < 60_000 }).toEqual({ filter, isCheap: true });
    }
  });

  it('offer currencies and providers without reading all rows', async () => {
    const scans = await scansOf(() => app.get(OrderListRepository).choices(scope));
    expect(scans).toContain('orders_history_amount');
    expect(scans).toContain('payments_history_provider');
    for (const scan of scans) expect(emptied).not.toContain(scan);
  });

  /** What the rows of a file are read through. */
  async function scansOfFile(
    columns: readonly string[],
    filter: Partial<OrderFilter> = {},
  ): Promise<string[]> {
    const style = fileStyle('machine', 'en', false);
    const query = { scope, filter: { ...NO_FILTER, ...filter }, columns, style };
    const copy = exportSource(query).rows(null, null);
    const rows = /^COPY \(([^]*)\)\s+TO STDOUT/.exec(copy)![1]!;
    const runner = app.get(DataSource).createQueryRunner();
    await runner.query(beginOf('Europe/Berlin'));
    const [row] = (await runner.query(EXPLAIN + rows)) as Explained[];
    await runner.query('ROLLBACK');
    await runner.release();
    return scansIn(row!);
  }

  it('write a file along the index, and look payouts up only for those who want them', async () => {
    const all = await scansOfFile(COLUMN_NAMES);
    expect(all).toEqual(
      expect.arrayContaining(['orders_history', 'payout_lines_order', 'payouts_id']),
    );
    const bare = await scansOfFile(['txid', 'amount', 'fee', 'net']);
    expect(bare).toContain('orders_history');
    expect(bare.join()).not.toMatch(/payout/);
    for (const scan of [...all, ...bare]) expect([...emptied, 'sort']).not.toContain(scan);
    const one = await scansOfFile(COLUMN_NAMES, { payout: SEEDED_PAYOUT });
    expect(one).toContain('payout_lines_history');
    for (const scan of one) expect(emptied).not.toContain(scan);
  });

  it('show the first page of a merchant along the days', async () => {
    const days = Array.from({ length: 15 }, (_, n) => day(14 - n));
    const scans = await scansOf(async () => {
      await app.get(HomeRepository).dayTotals(scope, days);
      await app.get(HomeRepository).exceptions(scope, day(30), day(0));
    });
    // What is sorted is a handful of kinds.
    const found = new Set(scans.filter((scan) => scan !== 'sort'));
    expect(found).toEqual(new Set(['orders_history', 'orders_history_exception']));
  });

  it('list refunds by time, by a rare status, and by a number, without reading all', async () => {
    await withoutTriggers(
      app,
      `INSERT INTO refunds (merchant_id, id, mode, txid, payment_id, content_hash, amount, from_unallocated,
         currency, status, method, origin, created_at, updated_at, completed_at)
       SELECT p.merchant_id, p.txid, 'test', p.txid, p.id, '', 1, 0, 'EUR',
         CASE WHEN p.n % 1000 = 0 THEN 'requested' ELSE 'succeeded' END, 'provider', 'api', p.created_at, p.created_at,
         CASE WHEN p.n % 1000 > 0 THEN p.created_at END
       FROM (SELECT *, row_number() OVER () AS n FROM (SELECT DISTINCT ON (txid) * FROM payments) one) p`,
    );
    await select(app, 'ANALYZE refunds', []);
    const nothing = { from: null, until: null, statuses: [], search: null } as const;
    const window = { cursor: NOBODY, direction: 'older', limit: 50 } as const;
    const refunds = app.get(RefundListRepository);
    const along = /^refunds_(list|pk)$/;
    for (const [filter, index] of [
      [{}, along],
      [{ from: day(60), until: day(30) }, along],
      [{ statuses: ['succeeded'] }, along],
      [{ statuses: ['requested'] }, /^refunds_list_status$/],
      [{ search: { text: NOBODY, id: NOBODY } }, /^orders_order_merchant_id$/],
    ] as const) {
      const wanted = { ...nothing, ...filter };
      const scans = await scansOf(() => refunds.page(scope, wanted, window));
      expect(scans).toContainEqual(expect.stringMatching(index));
      for (const table of ['refunds', 'orders', 'payments']) {
        expect(scans).not.toContain(`all of ${table}`);
      }
    }
    // The first rows of a frequent status are counted in any order, the others by their index.
    const counted = await scansOf(() => refunds.counts(scope, nothing));
    expect(counted.filter((scan) => scan === 'refunds_list_status').length).toBeGreaterThan(5);
  });

  it('show the page of an order by its keys alone', async () => {
    const [order] = await select<Owner & OrderKey>(
      app,
      `SELECT merchant_id AS "merchantId", txid FROM orders WHERE status = 'paid' LIMIT 1`,
    );
    const scans = await scansOf(async () => {
      await app.get(OrderPageRepository).traces(order!);
      await app.get(OrderPageRepository).money(order!);
    });
    expect(scans).toEqual(expect.arrayContaining(['events_order', 'payments_order']));
    const large = [...emptied, 'all of events', 'all of transfers', 'all of deliveries'];
    for (const scan of scans) expect(large).not.toContain(scan);
  });
});
