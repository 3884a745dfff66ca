import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PAYOUT_EVENT_TYPES } from '../src/database/notifications/event.entity.js';
import type { Payout } from '../src/database/payouts/payout.entity.js';
import { API_VERSIONS } from '../src/common/api-version.js';
import { WebhookWorker } from '../src/notifications/webhooks/webhook-worker.js';
import { ApprovalsService } from '../src/payouts/approvals.service.js';
import { PayoutFilesService } from '../src/payouts/payout-files.service.js';
import { PayoutsService } from '../src/payouts/payouts.service.js';
import type { Client } from './support/client.js';
import { type EventJson, readAll, readEvents, readOn } from './support/feed.js';
import { Cashier, paidOrder, PAYS } from './support/payouts.js';
import { Receiver, verified } from './support/receiver.js';
import { openShop } from './support/shop.js';

type Json = Record<string, unknown>;

interface Webhook {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Json;
}

const { app } = await openShop({ env: { ...PAYS, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } });
const payouts = app.get(PayoutsService);
const approvals = app.get(ApprovalsService);
const files = app.get(PayoutFilesService);
const worker = app.get(WebhookWorker);

/** A merchant of its own, with orders of these amounts paid. */
async function cashierWith(...amounts: number[]): Promise<Cashier> {
  const cashier = await Cashier.of(app, await app.merchant());
  for (const amount of amounts) await paidOrder(cashier.shop, amount);
  return cashier;
}

const typesOf = (events: readonly { readonly type: string }[]): string[] =>
  events.map(({ type }) => type);

const ofPayouts = { type: PAYOUT_EVENT_TYPES.join(',') };

/** The payout as the API tells it now, without its lines. */
async function read({ shop }: Cashier, { id }: Pick<Payout, 'id'>): Promise<Json> {
  const { body } = await shop.call('GET', `/api/payout/${id}`);
  const { lines: _, ...payout } = body;
  return payout;
}

/** Everything that can happen to one payout that ends well, until it comes back. */
const LIFE: readonly (readonly [string, (cashier: Cashier, payout: Payout) => Promise<unknown>])[] =
  [
    ['payout.requested', ({ scope, owner }, { id }) => payouts.submit(scope, id, owner.id)],
    [
      'payout.changed',
      ({ scope, account, owner }, { id }) =>
        payouts.change(scope, id, { amount: 700, bankAccountId: account.id }, owner.id),
    ],
    ['payout.approved', (cashier, payout) => cashier.approve(payout)],
    ['payout.exported', (cashier) => cashier.export()],
    [
      'payout.approved',
      async (cashier, payout) => files.notSent(await fileOf(cashier, payout), cashier.owner.id),
    ],
    ['payout.exported', (cashier) => cashier.export()],
    ['payout.submitted', async (cashier, payout) => files.submitted(await fileOf(cashier, payout))],
    ['payout.paid', async (cashier, payout) => files.paid(await fileOf(cashier, payout))],
    ['payout.returned', (cashier, payout) => cashier.returned(payout, 'Account closed')],
  ];

const fileOf = async ({ scope }: Cashier, { id }: Payout): Promise<string> =>
  (await payouts.find(scope, id)).fileId!;

/** Lives a whole life, and tells what the API said after each step. */
async function live(cashier: Cashier, msBetween: number): Promise<Json[]> {
  const { scope, account, owner } = cashier;
  const wish = { amount: 500, bankAccountId: account.id };
  const payout = await payouts.draft({ ...scope, currency: 'EUR' }, wish, owner.id);
  const told: Json[] = [];
  for (const [, step] of LIFE) {
    app.clock.advance(msBetween);
    await step(cashier, payout);
    told.push(await read(cashier, payout));
  }
  return told;
}

describe('an event of a payout', () => {
  it('has the payout as it was, through its whole life', async () => {
    const cashier = await cashierWith(1000);
    const told = await live(cashier, 1_500);
    const events = await readAll(cashier.shop, ofPayouts);
    expect(typesOf(events)).toEqual(LIFE.map(([type]) => type));
    expect(events.map(({ sequence }) => sequence)).toEqual(LIFE.map((_, n) => n + 1));
    expect(events.map(({ data }) => data)).toEqual(told);
    expect(events.map(({ timestamp }) => timestamp)).toEqual(told.map((each) => each['updatedAt']));
    expect(events[0]!.data).toMatchObject({ amount: 500, status: 'pending_approval' });
    expect(events[7]!.data).toMatchObject({ amount: 700, status: 'paid', statusReason: null });
    expect(JSON.stringify(events)).not.toContain(cashier.account.iban);
  });

  it.each([
    ['payout.rejected', ({ scope }, { id }) => approvals.reject(scope, id, 'Not now')],
    ['payout.cancelled', ({ scope }, { id }) => payouts.cancel(scope, id)],
    ['payout.failed', (cashier, payout) => refused(cashier, payout)],
  ] satisfies (readonly [string, (cashier: Cashier, payout: Payout) => Promise<unknown>])[])(
    'is %s where it ends so',
    async (type, end) => {
      const cashier = await cashierWith(1000);
      const payout = await cashier.request(500);
      await end(cashier, payout);
      const events = await readAll(cashier.shop, ofPayouts);
      expect(events.at(-1)).toMatchObject({ type, data: { status: type.slice(7) } });
      expect(events.at(-1)!.data).toEqual(await read(cashier, payout));
    },
  );

  async function refused(cashier: Cashier, payout: Payout): Promise<void> {
    await cashier.approve(payout);
    await files.submitted((await cashier.export()).id);
    await files.ended(payout, 'failed', 'No such account', cashier.owner.id);
  }

  it('is not there of a draft', async () => {
    const cashier = await cashierWith();
    const wish = { amount: 500, bankAccountId: cashier.account.id };
    const balance = { ...cashier.scope, currency: 'EUR' };
    const { id } = await payouts.draft(balance, wish, cashier.owner.id);
    await payouts.change(cashier.scope, id, { ...wish, amount: 700 }, cashier.owner.id);
    expect(await readAll(cashier.shop)).toEqual([]);
    await payouts.cancel(cashier.scope, id);
    expect(await readAll(cashier.shop)).toMatchObject([{ type: 'payout.cancelled', sequence: 1 }]);
  });

  it('is the same in every version of the contract', async () => {
    const cashier = await cashierWith(1000);
    await cashier.request(500);
    const [first, ...others] = await Promise.all(
      API_VERSIONS.map(async (version) => {
        const { body } = await readEvents(cashier.shop, ofPayouts, { 'api-version': version });
        return body;
      }),
    );
    expect(first!.data).toHaveLength(1);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('the feed with payouts in it', () => {
  let cashier: Cashier;
  let all: EventJson[];

  beforeAll(async () => {
    cashier = await cashierWith(1000);
    // Steps of several payouts and orders in one moment, and times that go back.
    await Promise.all([live(cashier, 0), paidOrder(cashier.shop, 300), cashier.shop.order()]);
    app.clock.advance(60_000);
    await live(cashier, -40);
    await paidOrder(cashier.shop, 400);
    all = await readAll(cashier.shop, { limit: 100 });
  });

  it('has all of them once, on pages of every size', async () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(typesOf(all).filter((type) => type.startsWith('payout.'))).toHaveLength(2 * LIFE.length);
    for (let limit = 1; limit <= all.length + 1; limit++) {
      const { pages, next } = await readOn(cashier.shop, null, { limit });
      expect(pages.flatMap(({ data }) => data)).toEqual(all);
      expect(next).toBe(all.at(-1)!.id);
    }
  });

  it('keeps each order’s and payout’s events in their sequence', () => {
    const subjects = Map.groupBy(all, ({ data }) => data.txid ?? data['id']);
    for (const events of subjects.values()) {
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, n) => n + 1));
      const times = events.map(({ timestamp }) => timestamp);
      expect(times).toEqual(times.toSorted());
    }
  });

  it.each([[['payout.paid', 'payout.returned']], [['order.paid', 'payout.requested']]])(
    'can be of %p alone',
    async (types) => {
      const wanted = all.filter(({ type }) => types.includes(type));
      for (const limit of [1, 3, 100]) {
        expect(await readAll(cashier.shop, { type: types.join(','), limit })).toEqual(wanted);
      }
    },
  );

  it('is of one merchant and one mode', async () => {
    const live = await app.key(cashier.shop.merchantId, { mode: 'live' });
    expect(await readAll(live)).toEqual([]);
    expect(await readAll(await app.merchant())).toEqual([]);
  });
});

describe('webhooks of payouts', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    // The standard's library compares timestamps with the real time.
    app.clock.set(new Date());
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());

  const endpoint = async (shop: Client, path: string, eventTypes: readonly string[]) => {
    const url = receiver.urlAt('127.0.0.1', path);
    const created = await shop.call('POST', '/api/webhook-endpoint', { url, eventTypes });
    expect(created).toMatchObject({ status: 201, body: { eventTypes } });
    return created.body as { readonly id: string; readonly secret: string };
  };

  const byId = <T extends { readonly id: string }>(events: readonly T[]): T[] =>
    events.toSorted((a, b) => (a.id < b.id ? -1 : 1));

  /** Sorted, because those of a payout need not come in their order. */
  const receivedAt = (path: string, secret: string) => {
    const received = receiver.received.filter((each) => each.path === path);
    return byId(
      received.map((each) => ({
        id: each.headers['webhook-id'] as string,
        ...(verified(secret, each) as Webhook),
      })),
    );
  };

  it('go to endpoints that want them, and say what the feed says', async () => {
    const cashier = await cashierWith();
    const { shop } = cashier;
    const everything = await endpoint(shop, '/everything', []);
    const paid = await endpoint(shop, '/paid', ['payout.paid', 'order.paid']);
    const orders = await endpoint(shop, '/orders', ['order.paid']);
    await paidOrder(shop, 1000);
    app.clock.advance(1);
    const payout = await cashier.paid(500);
    await worker.drain();

    const feed = (await readAll(shop)).map(({ id, type, timestamp, sequence, data }) => {
      return { id, type, timestamp, sequence, data };
    });
    expect(receivedAt('/everything', everything.secret)).toEqual(byId(feed));
    expect(feed.map(({ type }) => type)).toContain('payout.submitted');
    expect(receivedAt('/paid', paid.secret)).toMatchObject([
      { type: 'order.paid' },
      { type: 'payout.paid', data: { id: payout.id, status: 'paid' } },
    ]);
    expect(typesOf(receivedAt('/orders', orders.secret))).toEqual(['order.paid']);
  });

  it('are sent again, one or all of a time, as it was then', async () => {
    const cashier = await cashierWith(1000);
    const { shop } = cashier;
    const { id, secret } = await endpoint(shop, '/again', ['payout.requested', 'payout.cancelled']);
    const from = app.clock.now().toISOString();
    const payout = await cashier.request(500);
    await worker.drain();
    const path = `/api/webhook-endpoint/${id}`;
    const log = await shop.call<{ data: Json[] }>('GET', `${path}/delivery`);
    expect(log.body.data).toMatchObject([
      { type: 'payout.requested', txid: null, status: 'delivered' },
    ]);
    app.clock.advance(1);
    await payouts.cancel(cashier.scope, payout.id);
    await shop.call('POST', `${path}/delivery/${String(log.body.data[0]!['id'])}/resend`);
    await worker.drain();
    app.clock.advance(1);
    const range = await shop.call('POST', `${path}/resend`, { from, includeDelivered: true });
    expect(range.body).toEqual({ queued: 2, hasMore: false });
    await worker.drain();
    const seen = receivedAt('/again', secret);
    expect(typesOf(seen)).toEqual([
      'payout.requested',
      'payout.requested',
      'payout.requested',
      'payout.cancelled',
      'payout.cancelled',
    ]);
    for (const { type, data } of seen) {
      expect(data['status']).toBe(type === 'payout.cancelled' ? 'cancelled' : 'pending_approval');
    }
    expect(new Set(seen.map((each) => each.id)).size).toBe(2);
  });
});
