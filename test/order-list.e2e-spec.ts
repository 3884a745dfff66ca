import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  COUNT_MAX,
  OrderListRepository,
  type OrderListPage,
} from '../src/database/read-models/order-list/order-list.repository.js';
import {
  type OrderCursor,
  type OrderFilter,
  type ListedOrder,
  type OrderScope,
  orderListSource,
} from '../src/database/read-models/order-list/order-list.statements.js';
import { ORDER_STATUSES } from '../src/database/orders/order.entity.js';
import { MerchantsService } from '../src/merchants/merchants.service.js';
import { NO_FILTER as NOTHING } from '../src/portal/order-list/order-filter.js';
import { TestApp } from './support/app.js';
import { select } from './support/facts.js';
import { expectedRows, payoutOf } from './support/order-list-model.js';
import { insertPayouts } from './support/order-list-payouts.js';
import {
  ACCOUNTS,
  again,
  anyFilter,
  identifiersOf,
  insertSamples,
  NAMES,
  type Sample,
  samplesOf,
} from './support/order-list-samples.js';

const NO_FILTER: OrderFilter = { ...NOTHING, payerSight: 'full' };

/** Each run writes orders of its own and looks at them through several filters. */
const RUNS = 8;
const ORDERS = 70;
const FILTERS = 6;

describe('the list of orders', () => {
  let app: TestApp;
  let orderList: OrderListRepository;

  beforeAll(async () => {
    app = await TestApp.start();
    orderList = app.get(OrderListRepository);
  });
  afterAll(() => app.stop());

  const newMerchant = async (): Promise<string> =>
    (await app.get(MerchantsService).create({ name: 'Lampen' })).id;

  const ids = (rows: readonly { readonly txid: string }[]): string[] =>
    rows.map(({ txid }) => txid);

  const placeOf = (row: ListedOrder, { basis }: OrderFilter): OrderCursor => ({
    time: (basis === 'paid' ? row.paidAt : row.createdAt)!,
    txid: row.txid,
  });

  /** Every page in one direction, in the order in which they are read. */
  async function walk(
    scope: OrderScope,
    filter: OrderFilter,
    { limit, direction }: { limit: number; direction: 'older' | 'newer' },
    afterEach: () => Promise<void> = async () => {},
  ): Promise<OrderListPage[]> {
    const pages: OrderListPage[] = [];
    for (let cursor: OrderCursor | null = null; ;) {
      const page = await orderList.page(scope, filter, { cursor, direction, limit });
      pages.push(page);
      if (!(direction === 'older' ? page.hasOlder : page.hasNewer)) return pages;
      cursor = placeOf(page.rows.at(direction === 'older' ? -1 : 0)!, filter);
      await afterEach();
    }
  }

  const everything: Sample[] = [];

  async function write(samples: readonly Sample[]): Promise<void> {
    await insertSamples(app, samples);
    everything.push(...samples);
  }

  /** List, count, chips, sums and file of one filter are those of the model. */
  async function expectAgreement(
    scope: OrderScope,
    filter: OrderFilter,
    limit: number,
  ): Promise<void> {
    const expected = expectedRows(everything, scope, filter);
    const older = await walk(scope, filter, { limit, direction: 'older' });
    const found = older.flatMap(({ rows }) => rows);
    expect({ filter, found: ids(found) }).toEqual({ filter, found: ids(expected) });
    expect(found.map(({ payoutId, payoutStatus }) => [payoutId, payoutStatus])).toEqual(
      expected.map(payoutOf).map((payout) => [payout?.id ?? null, payout?.status ?? null]),
    );
    expect(older.map(({ hasNewer }) => hasNewer)).toEqual(older.map((_, n) => n > 0));
    const newer = await walk(scope, filter, { limit, direction: 'newer' });
    expect(ids(newer.toReversed().flatMap(({ rows }) => rows))).toEqual(ids(expected));
    expect(newer.map(({ hasOlder }) => hasOlder)).toEqual(newer.map((_, n) => n > 0));

    const exactly = (rows: readonly unknown[]) => ({ count: rows.length, isMore: false });
    expect(await orderList.count(scope, filter)).toEqual(exactly(expected));
    const anyStatus = expectedRows(everything, scope, { ...filter, statuses: [] });
    expect(await orderList.counts(scope, filter)).toEqual({
      count: exactly(expected),
      everyStatus: exactly(anyStatus),
      statuses: Object.fromEntries(
        ORDER_STATUSES.map((status) => [
          status,
          exactly(anyStatus.filter((sample) => sample.status === status)),
        ]),
      ),
    });
    expect(await orderList.sums(scope, filter)).toEqual(sumsOf(expected));
    const { text, values } = orderListSource(scope, filter);
    const file = await select<{ txid: string }>(app, `SELECT o.txid ${text} AND true`, values);
    expect(ids(file).sort()).toEqual(ids(expected).sort());
  }

  const sumsOf = (samples: readonly Sample[]) =>
    [...Map.groupBy(samples, ({ currency }) => currency)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, all]) => {
        const sum = (amount: (sample: Sample) => number | null) =>
          all.reduce((total, sample) => total + BigInt(amount(sample) ?? 0), 0n);
        return {
          currency,
          orders: all.length,
          amount: sum(({ amount }) => amount),
          amountReceived: sum(({ amountReceived }) => amountReceived),
          amountRefunded: sum(({ amountRefunded }) => amountRefunded),
          fee: sum(({ fee }) => fee),
          net: sum(({ amount, fee }) => (fee === null ? null : amount - fee)),
        };
      });

  it('shows what the filter says, in list, count, chips, sums and file alike', async () => {
    const merchants = [await newMerchant(), await newMerchant()];
    const payouts = await insertPayouts(app, merchants);
    const drawn = fc.record({
      samples: samplesOf(merchants, { min: 0, max: ORDERS }, payouts),
      filters: fc.array(anyFilter(payouts), { minLength: FILTERS, maxLength: FILTERS }),
      limit: fc.integer({ min: 2, max: 20 }),
      mode: fc.constantFrom('test' as const, 'live' as const),
    });
    let looked = 0;
    // Only a seed is told when it fails, because all orders of a run would fill the screen; and no
    // smaller one is looked for, because the orders of all runs are in the database together.
    const run = fc.asyncProperty(fc.integer(), async (seed) => {
      const [{ samples, filters, limit, mode }] = fc.sample(drawn, { numRuns: 1, seed }) as [
        typeof drawn extends fc.Arbitrary<infer T> ? T : never,
      ];
      await write(samples.map((sample) => again(sample)));
      for (const [n, filter] of filters.entries()) {
        const merchantId = [...merchants, null][n % 3]!;
        const pageLimit = Math.max(limit, Math.ceil(everything.length / 20));
        await expectAgreement({ merchantId, mode }, filter, pageLimit);
        looked++;
      }
    });
    await fc.assert(run, { numRuns: RUNS, endOnFailure: true });
    expect(looked).toBe(RUNS * FILTERS);
  });

  async function someOrders(count: number): Promise<{ scope: OrderScope; samples: Sample[] }> {
    const merchantId = await newMerchant();
    const [samples = []] = fc.sample(samplesOf([merchantId], { min: count, max: count }), 1);
    await write(samples);
    return { scope: { merchantId, mode: 'test' }, samples };
  }

  it('walks through all rows exactly once while new ones arrive', async () => {
    const { scope, samples } = await someOrders(60);
    const expected = ids(expectedRows(everything, scope, NO_FILTER));
    const course = { limit: 5, direction: 'older' } as const;
    let arrived = 0;
    const pages = await walk(scope, NO_FILTER, course, async () => {
      const createdAt = new Date(samples[0]!.createdAt.getTime() + 86_400_000 + ++arrived);
      const open = { mode: 'test', status: 'open', paidAt: null, createdAt } as const;
      await write([again({ ...samples[0]!, ...open, amountReceived: 0, amountRefunded: 0 })]);
    });
    expect(arrived).toBeGreaterThan(3);
    expect(ids(pages.flatMap(({ rows }) => rows))).toEqual(expected);
    const [newest] = pages[0]!.rows;
    const newer = await orderList.page(scope, NO_FILTER, {
      cursor: placeOf(newest!, NO_FILTER),
      direction: 'newer',
      limit: 100,
    });
    expect(newer).toMatchObject({ hasOlder: true, hasNewer: false });
    expect(newer.rows).toHaveLength(arrived);
  });

  it('stays where it is when the row at the cursor no longer fits the filter', async () => {
    const { scope } = await someOrders(30);
    const filter: OrderFilter = { ...NO_FILTER, statuses: ['open', 'expired', 'paid'] };
    const [first, second] = await walk(scope, filter, { limit: 3, direction: 'older' });
    const last = first!.rows.at(-1)!;
    const hide = `UPDATE orders SET status = 'failed', paid_at = NULL WHERE txid = $1`;
    await select(app, hide, [last.txid]);
    const again = await orderList.page(scope, filter, {
      cursor: placeOf(last, filter),
      direction: 'older',
      limit: 3,
    });
    expect(ids(again.rows)).toEqual(ids(second!.rows));
    expect(again.hasNewer).toBe(true);
    everything.splice(0, everything.length, ...everything.filter(({ txid }) => txid !== last.txid));
  });

  it('finds each order by each of its identifiers', async () => {
    const { scope, samples } = await someOrders(12);
    const mine = samples.filter(({ mode }) => mode === 'test');
    for (const sample of mine) {
      for (const search of identifiersOf(sample)) {
        const { rows } = await orderList.page(
          scope,
          { ...NO_FILTER, search },
          {
            cursor: null,
            direction: 'older',
            limit: 100,
          },
        );
        expect([search, ids(rows)]).toEqual([search, expect.arrayContaining([sample.txid])]);
        expect(ids(rows)).toEqual(ids(expectedRows(everything, scope, { ...NO_FILTER, search })));
      }
    }
  });

  it('finds nobody by more than the reader sees', async () => {
    const merchantId = await newMerchant();
    const scope = { merchantId, mode: 'test' } as const;
    const [[sample]] = fc.sample(samplesOf([merchantId], { min: 1, max: 1 }), 1) as [[Sample]];
    const payer = { id: '', provider: 'sandbox' };
    const seen = ACCOUNTS.map((payerAccount, n) =>
      again(sample, {
        mode: 'test',
        customerEmail: `li-${n}@mail.example`,
        payment: { ...payer, payerAccount, payerName: NAMES[n % NAMES.length]! },
        hidden: null,
        payouts: [],
      }),
    );
    await write(seen);
    const found = { full: 0, masked: 0, none: 0 };
    for (const { payment, customerEmail } of seen) {
      const { payerAccount, payerName } = payment!;
      const ends = [payerAccount!.slice(-4), payerName!.slice(0, 3)];
      for (const search of [payerAccount!, payerName!, customerEmail!, ...ends]) {
        for (const payerSight of ['full', 'masked', 'none'] as const) {
          const filter = { ...NO_FILTER, search, payerSight };
          const window = { cursor: null, direction: 'older', limit: 100 } as const;
          const rows = ids((await orderList.page(scope, filter, window)).rows);
          const expected = ids(expectedRows(everything, scope, filter));
          expect({ search, payerSight, rows }).toEqual({ search, payerSight, rows: expected });
          found[payerSight] += rows.length;
        }
      }
    }
    expect(found.none).toBe(0);
    expect(found.masked).toBeGreaterThan(0);
    expect(found.full).toBeGreaterThan(found.masked);
  });

  it('never shows orders of another merchant or of the other mode', async () => {
    const { scope, samples } = await someOrders(6);
    const stranger = { merchantId: await newMerchant(), mode: 'test' } as const;
    for (const sample of samples) {
      for (const search of identifiersOf(sample)) {
        const filter = { ...NO_FILTER, search };
        expect(await orderList.count(stranger, filter)).toEqual({ count: 0, isMore: false });
        const other = sample.mode === 'test' ? 'live' : 'test';
        const { rows } = await orderList.page({ ...scope, mode: other }, filter, {
          cursor: null,
          direction: 'older',
          limit: 100,
        });
        expect(ids(rows)).not.toContain(sample.txid);
      }
    }
  });

  it('shows a row with its payment and the name of its merchant', async () => {
    const shop = await app.merchant({ name: 'Nordlicht' });
    const order = await shop.order({ customer: { name: 'Erika', email: 'erika@mail.example' } });
    await shop.pay(order.txid);
    const paidAt = app.clock.now();
    app.clock.advance(1000);
    const open = await shop.order();
    const scope = { merchantId: shop.merchantId, mode: 'test' } as const;
    const window = { cursor: null, direction: 'older', limit: 25 } as const;
    const { rows } = await orderList.page(scope, NO_FILTER, window);
    expect(rows).toEqual([
      expect.objectContaining({ txid: open.txid, payment: null, merchantName: 'Nordlicht' }),
      expect.objectContaining({
        txid: order.txid,
        merchantId: shop.merchantId,
        mode: 'test',
        status: 'paid',
        amount: 8990,
        amountReceived: 8990,
        customerEmail: 'erika@mail.example',
        paidAt,
        payment: {
          id: expect.any(String),
          provider: 'sandbox',
          payerAccountNumber: 'DE89370400440532013000',
          payerAccountType: 'iban',
          payerAccountName: 'Erika Mustermann',
        },
      }),
    ]);
    expect(rows[0]).not.toHaveProperty('hasBefore');
  });

  it('shows an order once that is found in two ways', async () => {
    const shop = await app.merchant();
    const { txid } = await shop.order({ orderMerchantId: '89.90', amount: 8990 });
    const scope = { merchantId: shop.merchantId, mode: 'test' } as const;
    const filter = { ...NO_FILTER, search: '89.90' };
    const window = { cursor: null, direction: 'older', limit: 25 } as const;
    expect(ids((await orderList.page(scope, filter, window)).rows)).toEqual([txid]);
    expect(await orderList.count(scope, filter)).toEqual({ count: 1, isMore: false });
    expect((await orderList.sums(scope, filter))[0]).toMatchObject({ orders: 1, amount: 8990n });
  });

  it('forgets the fields of an order when they are taken from it', async () => {
    const shop = await app.merchant();
    const { txid } = await shop.order({ optionalFields: { colour: 'red', size: 'XL' } });
    const scope = { merchantId: shop.merchantId, mode: 'test' } as const;
    const count = async (name: string, value: string): Promise<number> =>
      (await orderList.count(scope, { ...NO_FILTER, field: { name, value } })).count;
    expect([await count('colour', 'red'), await count('size', 'XL')]).toEqual([1, 1]);
    await select(app, 'UPDATE orders SET optional_fields = $2 WHERE txid = $1', [
      txid,
      '{"size": "S"}',
    ]);
    expect([
      await count('colour', 'red'),
      await count('size', 'XL'),
      await count('size', 'S'),
    ]).toEqual([0, 0, 1]);
  });

  it('counts to ten thousand and then says that there are more', async () => {
    const merchantId = await newMerchant();
    const scope = { merchantId, mode: 'test' } as const;
    const [[sample]] = fc.sample(samplesOf([merchantId], { min: 1, max: 1 }), 1) as [[Sample]];
    const plain = { mode: 'test', fields: {}, payment: null, hidden: null } as const;
    const oneMore = (): Sample => again(sample, plain);
    await insertSamples(app, Array.from({ length: COUNT_MAX }, oneMore));
    expect(await orderList.count(scope, NO_FILTER)).toEqual({ count: COUNT_MAX, isMore: false });
    await insertSamples(app, [oneMore()]);
    const more = { count: COUNT_MAX, isMore: true };
    expect(await orderList.count(scope, NO_FILTER)).toEqual(more);
    const { statuses, ...counts } = await orderList.counts(scope, NO_FILTER);
    expect(counts).toEqual({ count: more, everyStatus: more });
    expect(statuses![sample.status]).toEqual(more);
    const occurring = ORDER_STATUSES.filter((status) => statuses![status].count > 0);
    expect(occurring).toEqual([sample.status]);
    // Statuses among those of one currency would take their time; the list itself is counted.
    const { currency, status } = sample;
    const other = ORDER_STATUSES.find((each) => each !== status)!;
    const filter = { ...NO_FILTER, currency };
    expect(await orderList.counts(scope, filter)).toEqual({ ...counts, statuses: null });
    expect(await orderList.counts(scope, { ...filter, statuses: [other] })).toEqual({
      count: { count: 0, isMore: false },
      everyStatus: more,
      statuses: null,
    });
  });
});
