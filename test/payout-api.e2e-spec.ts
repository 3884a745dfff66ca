import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SCOPES } from '../src/database/merchants/api-key.entity.js';
import { PAYOUT_STATUSES } from '../src/database/payouts/payout.entity.js';
import { NEWEST_API_VERSION } from '../src/common/api-version.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import type { Client, Reply } from './support/client.js';
import { select } from './support/facts.js';
import type { EventPage } from './support/feed.js';
import { Cashier, chargeFee, paidOrder, PAYS } from './support/payouts.js';
import { openShop } from './support/shop.js';

interface PayoutJson {
  id: string;
  status: string;
  amount: number;
  lines: Record<'orders' | 'fees' | 'corrections', { count: number; amount: number }>;
  [member: string]: unknown;
}

interface LineJson {
  number: number;
  kind: string;
  amount: number;
  txid: string;
  [member: string]: unknown;
}

interface Page<T> {
  data: T[];
  next: string | number | null;
  hasMore: boolean;
}

const { app, shop: other } = await openShop({ env: PAYS });
const payouts = app.get(PayoutsService);

/** A merchant of its own, with orders of these amounts paid, each at 2.9 % and 30 more. */
async function cashierWith(...amounts: number[]): Promise<Cashier> {
  const shop = await app.merchant();
  await chargeFee(app, shop, 29_000, 30);
  const cashier = await Cashier.of(app, shop);
  for (const amount of amounts) await paidOrder(shop, amount);
  return cashier;
}

const wishOf = ({ scope, account }: Cashier, amount: number) =>
  [
    { ...scope, currency: 'EUR' },
    { amount, bankAccountId: account.id },
  ] as const;

/** A wish, which needs no money. */
const draft = (cashier: Cashier, amount = 100) =>
  payouts.draft(...wishOf(cashier, amount), cashier.owner.id);

const get = <T>(client: Client, path: string): Promise<Reply<T>> => client.call<T>('GET', path);

/** Reads on until there is no more. */
async function readOn<T>(client: Client, path: string, query: string): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  let after = '';
  do {
    const { status, body, text } = await get<Page<T>>(client, `${path}?${query}${after}`);
    if (status !== 200) throw new Error(text);
    pages.push(body);
    after = `&after=${body.next}`;
  } while (pages.at(-1)!.hasMore);
  return pages;
}

const sizesOf = (pages: readonly Page<unknown>[]): number[] => pages.map(({ data }) => data.length);
const entriesOf = <T>(pages: readonly Page<T>[]): T[] => pages.flatMap(({ data }) => data);

describe('a payout', () => {
  it('tells what a shop’s books need, and not the account’s number', async () => {
    const cashier = await cashierWith(1000, 2000);
    const created = app.clock.now().toISOString();
    const asked = await cashier.request(1000);
    app.clock.advance(1_234);
    await cashier.approve(asked);
    const expected = {
      id: asked.id,
      mode: 'test',
      status: 'approved',
      statusReason: null,
      amount: 1000,
      currency: 'EUR',
      bankAccount: { holder: 'Test Shop', iban: 'FR•••• 2606', country: 'FR' },
      scheduled: false,
      createdAt: created,
      updatedAt: app.clock.now().toISOString(),
      paidAt: null,
    };
    const lines = {
      orders: { count: 2, amount: 1147 },
      fees: { count: 2, amount: -147 },
      corrections: { count: 0, amount: 0 },
    };
    const { body, text, headers } = await get(cashier.shop, `/api/payout/${asked.id}`);
    // As text: the order of members is what people see in a terminal.
    expect(text).toBe(JSON.stringify({ ...expected, lines }));
    expect(headers.get('api-version')).toBe(NEWEST_API_VERSION);
    expect((await get(cashier.shop, '/api/payout')).body).toEqual({
      data: [expected],
      next: asked.id,
      hasMore: false,
    });
    for (const path of [`/api/v1/payout/${asked.id}`, '/api/payout/newest']) {
      expect((await get(cashier.shop, path)).body).toEqual(body);
    }
    const upper = `/api/payout/${asked.id.toUpperCase()}`;
    expect((await get(cashier.shop, upper)).body).toEqual(body);
  });

  it('says when nobody asked for it, when it was paid, and why it came to nothing', async () => {
    const cashier = await cashierWith(5000);
    const scheduled = await payouts.request(...wishOf(cashier, 1000), null);
    const read = async (id: string) =>
      (await get<PayoutJson>(cashier.shop, `/api/payout/${id}`)).body;
    expect(await read(scheduled.id)).toMatchObject({ scheduled: true, status: 'pending_approval' });
    await payouts.cancel(cashier.scope, scheduled.id);
    const paid = await cashier.paid(1000);
    expect(await read(paid.id)).toMatchObject({
      status: 'paid',
      scheduled: false,
      paidAt: app.clock.now().toISOString(),
    });
    const back = await cashier.returned(paid, 'Account closed');
    expect(await read(back.id)).toMatchObject({
      status: 'returned',
      statusReason: 'Account closed',
    });
    const wish = await draft(cashier);
    const none = { count: 0, amount: 0 };
    expect(await read(wish.id)).toMatchObject({
      status: 'draft',
      lines: { orders: none, fees: none, corrections: none },
    });
  });

  it('has sums that make its amount, whoever changes it meanwhile', async () => {
    const cashier = await cashierWith(1000, 1000, 1000, 1000);
    const { id } = await cashier.request(900);
    const change = async () => {
      for (let n = 0; n < 15; n++) {
        const [, wish] = wishOf(cashier, n % 2 ? 900 : 3100);
        await payouts.change(cashier.scope, id, wish, cashier.owner.id);
      }
    };
    const seen = new Set<number>();
    const read = async () => {
      for (let n = 0; n < 30; n++) {
        const { body } = await get<PayoutJson>(cashier.shop, `/api/payout/${id}`);
        const sums = Object.values(body.lines).map(({ amount }) => amount);
        expect(sums.reduce((sum, amount) => sum + amount)).toBe(body.amount);
        seen.add(body.amount);
      }
    };
    await Promise.all([change(), read(), read()]);
    expect([...seen].toSorted()).toEqual([3100, 900]);
  });
});

describe('the list of payouts', () => {
  it('is the same on pages of every size, the newest first', async () => {
    const cashier = await cashierWith(5000);
    const made: string[] = [];
    for (let n = 0; n < 4; n++) {
      made.unshift((await draft(cashier)).id, (await cashier.request(100)).id);
      // Some of one moment, some later.
      if (n % 2) app.clock.advance(1);
    }
    const all = made.toSorted().reverse();
    for (let limit = 1; limit <= all.length + 1; limit++) {
      const pages = await readOn<PayoutJson>(cashier.shop, '/api/payout', `limit=${limit}`);
      expect(entriesOf(pages).map(({ id }) => id)).toEqual(all);
      expect(
        sizesOf(pages)
          .slice(0, -1)
          .every((size) => size === limit),
      ).toBe(true);
      expect(pages.map(({ next }) => next)).toEqual(pages.map(({ data }) => data.at(-1)!.id));
    }
    const behind = await get(cashier.shop, `/api/v1/payout?after=${all.at(-1)!.toUpperCase()}`);
    expect(behind.body).toEqual({ data: [], next: null, hasMore: false });
  });

  it('goes on where it was although new ones come', async () => {
    const cashier = await cashierWith();
    const first = await draft(cashier);
    const second = await draft(cashier);
    const { body } = await get<Page<PayoutJson>>(cashier.shop, '/api/payout?limit=1');
    expect(body).toMatchObject({ data: [{ id: second.id }], hasMore: true });
    app.clock.advance(1);
    await draft(cashier);
    const rest = await get<Page<PayoutJson>>(cashier.shop, `/api/payout?after=${body.next}`);
    expect(rest.body.data.map(({ id }) => id)).toEqual([first.id]);
  });

  it('can be of some statuses', async () => {
    const cashier = await cashierWith(5000);
    for (let n = 0; n < 3; n++) {
      await draft(cashier);
      app.clock.advance(1);
      await cashier.request(100);
      app.clock.advance(1);
    }
    await cashier.paid(200);
    const { body } = await get<Page<PayoutJson>>(cashier.shop, '/api/payout');
    expect(body.data).toHaveLength(7);
    for (const statuses of [...PAYOUT_STATUSES.map((each) => [each]), ['draft', 'paid']]) {
      const wanted = body.data.filter(({ status }) => statuses.includes(status as 'draft'));
      for (const limit of [1, 2, 25]) {
        const query = `status=${statuses.join(',')}&limit=${limit}`;
        expect(entriesOf(await readOn(cashier.shop, '/api/payout', query))).toEqual(wanted);
      }
    }
  });

  it('has 25 on a page unless told otherwise', async () => {
    const cashier = await cashierWith();
    await Promise.all(Array.from({ length: 26 }, () => draft(cashier)));
    const { body } = await get<Page<PayoutJson>>(cashier.shop, '/api/payout');
    expect(body).toMatchObject({ hasMore: true });
    expect(body.data).toHaveLength(25);
  });
});

describe('the lines of a payout', () => {
  it('are the same on pages of every size, and come to its amount', async () => {
    const cashier = await cashierWith(1000, 2000, 3000);
    const [payment] = await select<{ id: string; txid: string }>(
      app,
      `SELECT id, txid FROM transfers WHERE merchant_id = $1 AND kind = 'fee' ORDER BY id LIMIT 1`,
      [cashier.shop.merchantId],
    );
    await cashier.takeBack(payment!.id, 'Goodwill');
    const { id } = await cashier.request(5000);
    const path = `/api/payout/${id}/line`;
    const { body } = await get<Page<LineJson>>(cashier.shop, path);
    const all = body.data;
    expect(body).toMatchObject({ hasMore: false, next: all.length });
    expect(all.map(({ number }) => number)).toEqual(all.map((_, n) => n + 1));
    for (let limit = 1; limit <= all.length + 1; limit++) {
      const pages = await readOn<LineJson>(cashier.shop, path, `limit=${limit}`);
      expect(entriesOf(pages)).toEqual(all);
      expect(pages).toHaveLength(Math.ceil(all.length / limit));
    }
    expect((await get(cashier.shop, `/api/v1${path.slice(4)}?after=${all.length}`)).body).toEqual({
      data: [],
      next: null,
      hasMore: false,
    });
    expect((await get(cashier.shop, '/api/payout/newest/line')).body).toEqual(body);

    const { body: payout } = await get<PayoutJson>(cashier.shop, `/api/payout/${id}`);
    const sumOf = (kind: string) => {
      const lines = all.filter((line) => line.kind === kind);
      return { count: lines.length, amount: lines.reduce((sum, { amount }) => sum + amount, 0) };
    };
    expect(payout.lines).toEqual({
      orders: sumOf('order'),
      fees: sumOf('fee'),
      corrections: sumOf('correction'),
    });
    expect(payout.lines.corrections).toEqual({ count: 1, amount: 59 });
    expect(all.reduce((sum, { amount }) => sum + amount, 0)).toBe(5000);
  });

  it('lead to their orders', async () => {
    const cashier = await cashierWith();
    const order = await paidOrder(cashier.shop, 1000, { orderMerchantId: 'INV-7' });
    await cashier.request(941);
    const { body } = await get<Page<LineJson>>(cashier.shop, '/api/payout/newest/line');
    const known = {
      txid: order.txid,
      orderMerchantId: 'INV-7',
      orderAmount: 1000,
      orderPaidAt: order['paidAt'],
    };
    expect(body.data.toSorted((a, b) => b.amount - a.amount)).toEqual([
      { number: expect.any(Number), kind: 'order', amount: 1000, ...known },
      { number: expect.any(Number), kind: 'fee', amount: -59, ...known },
    ]);
  });
});

describe('the balance', () => {
  it('follows orders and payouts', async () => {
    const cashier = await cashierWith();
    const expectBalance = async (...data: object[]) => {
      const { status, body } = await get(cashier.shop, '/api/balance');
      expect([status, body]).toEqual([200, { data }]);
      expect((await get(cashier.shop, '/api/v1/balance')).body).toEqual(body);
    };
    const eur = (available: number, payoutPending: number, unallocated: number) => ({
      mode: 'test',
      currency: 'EUR',
      available,
      payoutPending,
      unallocated,
    });
    await expectBalance();
    await paidOrder(cashier.shop, 1000);
    await expectBalance(eur(941, 0, 0));
    await paidOrder(cashier.shop, 1000, { received: 1200 });
    await expectBalance(eur(1882, 0, 200));
    const payout = await cashier.request(1800);
    await expectBalance(eur(82, 1800, 200));
    await payouts.cancel(cashier.scope, payout.id);
    await expectBalance(eur(1882, 0, 200));
    await cashier.paid(1882);
    await expectBalance(eur(0, 0, 200));
    await paidOrder(cashier.shop, 500, { currency: 'JPY' });
    await expectBalance(eur(0, 0, 200), { ...eur(500, 0, 0), currency: 'JPY' });
    const live = await app.key(cashier.shop.merchantId, { mode: 'live' });
    expect((await get(live, '/api/balance')).body).toEqual({ data: [] });
  });

  it('is below zero when more was taken back than there was', async () => {
    const cashier = await cashierWith(1000);
    const [transfer] = await select<{ id: string }>(
      app,
      `SELECT id FROM transfers WHERE merchant_id = $1 AND kind = 'payment'`,
      [cashier.shop.merchantId],
    );
    await cashier.takeBack(transfer!.id, 'Booked by mistake');
    expect((await get(cashier.shop, '/api/balance')).body).toMatchObject({
      data: [{ available: -59 }],
    });
  });
});

describe('who may read payouts', () => {
  const operationsOn = (id: string) => [
    '/api/payout',
    `/api/payout/${id}`,
    `/api/payout/${id}/line`,
    '/api/balance',
  ];

  it('is who has a key with the scope', async () => {
    const cashier = await cashierWith(1000);
    const { id } = await cashier.request(500);
    const { merchantId } = cashier.shop;
    const noHook = await app.key(merchantId, { scopes: ['payouts:read'] });
    const without = await app.key(merchantId, {
      scopes: SCOPES.filter((scope) => scope !== 'payouts:read'),
    });
    for (const path of operationsOn(id).flatMap((path) => [path, path.replace('api', 'api/v1')])) {
      expect((await get(noHook, path)).status).toBe(200);
      expect(await get(without, path)).toMatchObject({
        status: 403,
        body: { code: 'missing_scope', missingScope: 'payouts:read' },
      });
    }
    expect((await get(noHook, `/api/order?txid=${id}`)).status).toBe(403);
    expect((await get(noHook, '/api/event')).status).toBe(403);
  });

  it('is the same in the feed of events, whatever types it is asked for', async () => {
    const cashier = await cashierWith(1000);
    await cashier.request(500);
    const { merchantId } = cashier.shop;
    const without = await app.key(merchantId, {
      scopes: SCOPES.filter((scope) => scope !== 'payouts:read'),
    });
    const typesFor = async (client: Client, query = '') => {
      const { body } = await get<EventPage>(client, `/api/event${query}`);
      return body.data.map(({ type }) => type);
    };
    expect(await typesFor(cashier.shop)).toContain('payout.requested');
    const seen = await typesFor(without);
    expect(seen).toContain('order.paid');
    expect(seen.filter((type) => type.startsWith('payout.'))).toEqual([]);
    expect(await typesFor(cashier.shop, '?type=payout.requested')).toEqual(['payout.requested']);
    expect(await typesFor(without, '?type=payout.requested')).toEqual([]);
  });

  it('is nobody but the merchant, in the payout’s mode', async () => {
    const cashier = await cashierWith(1000);
    const { id } = await cashier.request(500);
    const live = await app.key(cashier.shop.merchantId, { mode: 'live' });
    const unknown = randomUUID();
    const answers = new Set<string>();
    for (const path of [`/api/payout/${id}`, `/api/payout/${id}/line`]) {
      const isMissing = async (client: Client, name: string): Promise<void> => {
        const { status, text, headers } = await get(client, path.replace(id, name));
        expect(status).toBe(404);
        const request = headers.get('x-request-id')!;
        answers.add(text.replace(request, '').replace(name, '').replace('/line', ''));
      };
      await isMissing(cashier.shop, unknown);
      await isMissing(other, id);
      await isMissing(other, 'newest');
      await isMissing(live, id);
      await isMissing(live, 'newest');
      for (const name of ['x', `${id}0`, '%00', id.replaceAll('-', '')]) {
        expect((await get(cashier.shop, path.replace(id, name))).body).toMatchObject({
          status: 404,
          code: 'payout_not_found',
        });
      }
    }
    expect([...answers]).toEqual([expect.stringContaining('"code":"payout_not_found"')]);
    for (const client of [other, live]) {
      expect((await get(client, '/api/payout')).body).toMatchObject({ data: [] });
      const after = await get(
        client,
        `/api/payout?after=${'f'.repeat(8)}-ffff-7fff-bfff-ffffffffffff`,
      );
      expect(after.body).toMatchObject({ data: [] });
    }
  });
});

describe('the query', () => {
  it.each([
    ['/api/payout', 'after=', 'invalid_parameter', /`after` must be the id of a payout/],
    ['/api/payout', 'after=newest', 'invalid_parameter', /`after`/],
    ['/api/payout', `after=${randomUUID()}&after=${randomUUID()}`, 'invalid_parameter', /once/],
    ['/api/payout', 'status=', 'invalid_parameter', /`status` must be some of draft, pending_/],
    ['/api/payout', 'status=PAID', 'invalid_parameter', /`status`/],
    ['/api/payout', 'status=paid,', 'invalid_parameter', /`status`/],
    ['/api/payout', 'status=paid&status=DRAFT', 'invalid_parameter', /`status` must be some of/],
    ['/api/payout', 'limit=0', 'invalid_parameter', /`limit` must be a whole number from 1 to 100/],
    ['/api/payout', 'limit=101', 'invalid_parameter', /`limit`/],
    ['/api/payout', 'limit=1e1', 'invalid_parameter', /`limit`/],
    ['/api/payout', 'before=x', 'unknown_parameter', /"before"/],
    ['/api/payout', 'currency=EUR', 'unknown_parameter', /"currency"/],
    ['/api/payout/newest', 'expand=lines', 'unknown_parameter', /"expand"/],
    [
      '/api/payout/newest/line',
      'after=',
      'invalid_parameter',
      /`after` must be the number of a line/,
    ],
    ['/api/payout/newest/line', 'after=-1', 'invalid_parameter', /`after`/],
    ['/api/payout/newest/line', 'after=1.5', 'invalid_parameter', /`after`/],
    ['/api/payout/newest/line', 'after=100001', 'invalid_parameter', /`after`/],
    ['/api/payout/newest/line', 'after=1&after=2', 'invalid_parameter', /`after`/],
    ['/api/payout/newest/line', 'limit=101', 'invalid_parameter', /`limit`/],
    ['/api/payout/newest/line', 'kind=fee', 'unknown_parameter', /"kind"/],
    ['/api/balance', 'currency=EUR', 'unknown_parameter', /"currency"/],
  ])('of %s refuses ?%s as %s', async (path, query, code, detail) => {
    expect(await get(other, `${path}?${query}`)).toMatchObject({
      status: 400,
      body: { code, detail: expect.stringMatching(detail) },
    });
  });

  it('comes with GET only: payouts are made in the portal', async () => {
    for (const path of ['/api/payout', `/api/payout/${randomUUID()}`, '/api/balance']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await other.call(method, path, {});
        expect([path, method, reply.status]).toEqual([path, method, 405]);
        expect(reply.headers.get('allow')).toBe('GET, HEAD');
      }
    }
  });
});
