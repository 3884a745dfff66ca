import { describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { startAtPage } from './support/bank.js';
import type { OrderJson, Reply } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { readAll } from './support/feed.js';
import { expectHealthy } from './support/payout-invariants.js';
import { rounds } from './support/race.js';
import { openShop } from './support/shop.js';

const MINUTE_MS = 60_000;

const { app, shop } = await openShop();

const change = (
  { txid }: Pick<OrderJson, 'txid'>,
  body: unknown,
  headers: Record<string, string> = {},
  client = shop,
): Promise<Reply<OrderJson>> => client.call('PATCH', `/api/order/${txid}`, body, headers);

const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;

/** A new order, as it is read. */
const made = async (fields: Record<string, unknown> = {}) => read(await shop.order(fields));

const WHOLE = {
  description: 'Two lamps',
  customer: { name: 'Erika', email: 'erika@example.com' },
  returnUrl: 'https://shop.example/thanks',
  cancelUrl: 'https://shop.example/cart',
  locale: 'de',
  optionalFields: { table: '7', colour: 'green' },
};

describe('an open order', () => {
  it('changes in what is named, and in nothing else', async () => {
    const order = await made(WHOLE);
    app.clock.advance(MINUTE_MS);
    const { status, body } = await change(order, { amount: 5_000, description: 'One lamp' });
    expect(status).toBe(200);
    expect(body).toEqual({
      ...order,
      amount: 5_000,
      description: 'One lamp',
      updatedAt: app.clock.now().toISOString(),
    });
    expect(await read(order)).toEqual(body);
    expect((await factsOf(app, order.txid)).events).toEqual(['order.created', 'order.updated']);
    await expectHealthy(app);
  });

  it('changes in everything but its id and currency, and is found by what it has now', async () => {
    const order = await made(WHOLE);
    const asked = {
      amount: 1,
      description: 'x',
      customer: { email: 'max@example.com' },
      returnUrl: 'https://shop.example/a',
      cancelUrl: 'https://shop.example/b',
      locale: 'fr',
      optionalFields: { basket: 'B-77' },
    };
    const { body } = await change(order, { ...asked, expiresInMinutes: 10 });
    const expiresAt = new Date(app.clock.now().getTime() + 10 * MINUTE_MS).toISOString();
    const customer = { name: null, email: 'max@example.com' };
    expect(body).toMatchObject({ ...asked, customer, expiresAt });
    expect(body['optionalFields']).toEqual(asked.optionalFields);
    const none = await change(order, {
      description: null,
      customer: null,
      returnUrl: null,
      cancelUrl: null,
      locale: null,
      optionalFields: null,
    });
    expect(none.body).toMatchObject({
      description: null,
      customer: null,
      returnUrl: null,
      cancelUrl: null,
      locale: null,
      optionalFields: {},
      amount: 1,
    });
    await expectHealthy(app);
  });

  it('stays as it is when it is so already, and is no event', async () => {
    const order = await made(WHOLE);
    for (const body of [{}, WHOLE, { amount: order.amount, currency: undefined }]) {
      expect((await change(order, body)).body).toEqual(order);
    }
    expect((await factsOf(app, order.txid)).events).toEqual(['order.created']);
  });

  it.each([
    [{ amount: 0 }, '/amount out_of_range'],
    [{ amount: null }, undefined],
    [{ amount: '5' }, '/amount wrong_type'],
    [{ currency: 'USD' }, '/currency unknown_member'],
    [{ orderMerchantId: 'x' }, '/orderMerchantId unknown_member'],
    [{ description: '4111 1111 1111 1111' }, '/description card_data_refused'],
    [{ expiresInMinutes: 4 }, '/expiresInMinutes out_of_range'],
    [{ customer: { email: 'erika' } }, '/customer/email wrong_format'],
    [{ customer: 'Erika' }, '/customer wrong_type'],
    [{ returnUrl: 'javascript:alert(1)' }, '/returnUrl wrong_format'],
    [{ optionalFields: { a: 1 } }, '/optionalFields/a wrong_type'],
  ])('is checked as a new one: %j', async (body, fault) => {
    const order = await made();
    const reply = await change(order, body);
    const errors = (reply.body['errors'] ?? []) as { pointer: string; code: string }[];
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(fault ? [fault] : []);
    expect(reply.status).toBe(fault ? 422 : 200);
    expect(await read(order)).toEqual(order);
  });

  it('refuses optional fields in version 1.0', async () => {
    const order = await made();
    const headers = { 'api-version': '1.0' };
    const reply = await change(order, { optionalFields: { a: 'b' } }, headers);
    expect(reply.text).toContain('field_not_in_this_version');
    const { body } = await change(order, { amount: 7 }, headers);
    expect([body.amount, 'optionalFields' in body]).toEqual([7, false]);
  });

  it('does not expire before its new time, and does then', async () => {
    const order = await made({ expiresInMinutes: 5 });
    app.clock.advance(4 * MINUTE_MS);
    await change(order, { expiresInMinutes: 10 });
    app.clock.advance(9 * MINUTE_MS);
    await app.get(Sweeper).run();
    expect((await read(order)).status).toBe('open');
    app.clock.advance(MINUTE_MS);
    await app.get(Sweeper).run();
    expect((await read(order)).status).toBe('expired');
  });

  it('belongs to its merchant and mode, and needs the scope', async () => {
    const order = await made();
    const other = await app.merchant();
    const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
    expect((await change(order, { amount: 1 }, {}, other)).status).toBe(404);
    expect((await change(order, { amount: 1 }, {}, reader)).status).toBe(403);
    const writer = await app.key(shop.merchantId, { scopes: ['orders:write'] });
    const named = await change(order, { customer: { name: 'Erika' } }, {}, writer);
    expect([named.status, named.body['customer']]).toEqual([200, null]);
  });
});

describe('an order that waits no more, or is being paid', () => {
  it.each([
    ['being paid', { outcome: 'pending' }, 'payment_in_progress'],
    ['of unknown outcome', { outcome: 'unknown' }, 'payment_in_progress'],
    ['paid', { outcome: 'paid' }, 'order_not_changeable'],
  ])('is not changed when it is %s', async (_, answer, code) => {
    const order = await made();
    await shop.pay(order.txid, answer);
    const before = await read(order);
    expect(await change(order, { description: 'x' })).toMatchObject({
      status: 409,
      body: { code, txid: order.txid, orderStatus: before.status },
    });
    expect(await read(order)).toEqual(before);
  });

  it('is not changed when its time is over, swept or not', async () => {
    const order = await made({ expiresInMinutes: 5 });
    app.clock.advance(5 * MINUTE_MS);
    expect((await change(order, { expiresInMinutes: 60 })).status).toBe(409);
    await app.get(Sweeper).run();
    expect((await change(order, { expiresInMinutes: 60 })).status).toBe(409);
  });

  it.each([
    ['a part', { amount: 1 }],
    ['another currency', { currency: 'USD' }],
  ])('keeps its amount once %s has come, and changes in the rest', async (_, money) => {
    const order = await made();
    await shop.pay(order.txid, money);
    expect(await change(order, { amount: 10_000 })).toMatchObject({
      status: 409,
      body: { code: 'order_not_changeable' },
    });
    const { body } = await change(order, { amount: order.amount, description: 'y' });
    expect(body).toMatchObject({ amount: order.amount, description: 'y' });
  });
});

describe('two programs', () => {
  it('undo nothing of each other with If-Match', async () => {
    const { body: order, headers } = await shop.create();
    const etag = headers.get('etag')!;
    expect((await shop.read(order.txid)).headers.get('etag')).toBe(etag);
    const first = await change(order, { amount: 1 }, { 'if-match': etag });
    expect([first.status, first.headers.get('etag') === etag]).toEqual([200, false]);
    expect(await change(order, { amount: 2 }, { 'if-match': etag })).toMatchObject({
      status: 412,
      body: { code: 'order_changed', txid: order.txid },
    });
    expect((await read(order)).amount).toBe(1);
    const now = (await shop.read(order.txid)).headers.get('etag')!;
    for (const tags of [`"0", ${now}`, '*']) {
      expect((await change(order, { amount: 1 }, { 'if-match': tags })).status).toBe(200);
    }
    for (const tags of ['', now.slice(1, -1), `W/${now}`]) {
      expect((await change(order, { amount: 3 }, { 'if-match': tags })).status).toBe(412);
    }
  });

  it('that send the same ETag at once change it once', async () => {
    await rounds(async () => {
      const { body: order, headers } = await shop.create();
      const tags = { 'if-match': headers.get('etag')! };
      const replies = await Promise.all(
        [1, 2, 3, 4].map((amount) => change(order, { amount }, tags)),
      );
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
      const winner = replies.find(({ status }) => status === 200)!;
      expect((await read(order)).amount).toBe(winner.body.amount);
    });
  });
});

describe('a repeat', () => {
  it('of a change with its key gets the first answer', async () => {
    const order = await made();
    const key = { 'idempotency-key': `change-${order.txid}` };
    const first = await change(order, { amount: 5, expiresInMinutes: 30 }, key);
    await change(order, { amount: 6 });
    app.clock.advance(MINUTE_MS);
    const again = await change(order, { amount: 5, expiresInMinutes: 30 }, key);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect((await read(order)).amount).toBe(6);
    expect((await change(order, { amount: 7 }, key)).status).toBe(422);
  });

  it('of the creation is one still, and gets the order as it is', async () => {
    const asked = { orderMerchantId: 'changed-1', amount: 100, description: 'a' };
    const order = await made(asked);
    const { body } = await change(order, { amount: 200, description: 'b' });
    expect(await shop.create(asked)).toMatchObject({ status: 200, body });
    expect((await shop.create({ ...asked, amount: 200, description: 'b' })).status).toBe(409);
  });
});

describe('events of a changed order', () => {
  it('tell what it asked for then, and name no person', async () => {
    const client = await app.merchant();
    const order = await client.order({ amount: 1_000 });
    await client.pay(order.txid, { outcome: 'declined' });
    await change(order, { expiresInMinutes: 90, customer: { name: 'Erika' } }, {}, client);
    const { body } = await change(order, { amount: 2_000 }, {}, client);
    const paid = (await client.pay(order.txid)).body;
    const events = await readAll(client);
    expect(events.map(({ type, data }) => [type, data.amount, data['expiresAt']])).toEqual([
      ['order.created', 1_000, order['expiresAt']],
      ['order.processing', 1_000, order['expiresAt']],
      ['payment.failed', 1_000, order['expiresAt']],
      ['order.updated', 1_000, body['expiresAt']],
      ['order.updated', 2_000, body['expiresAt']],
      ['order.processing', 2_000, body['expiresAt']],
      ['order.paid', 2_000, body['expiresAt']],
    ]);
    expect(events.at(-1)!.data).toEqual(paid);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const stored = await select(app, 'SELECT data FROM events WHERE txid = $1', [order.txid]);
    expect(JSON.stringify(stored)).not.toContain('Erika');
    await expectHealthy(app);
  });
});

describe('the payer of a changed order', () => {
  const payAsSeen = ({ paymentPageUrl }: OrderJson, due: number): Promise<Response> =>
    fetch(`${paymentPageUrl}/start`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ method: 'sandbox', due: String(due) }),
    });

  it('is shown the new amount, and pays no other than the page showed', async () => {
    const order = await made({ amount: 1_000 });
    await change(order, { amount: 2_500 });
    const stale = await payAsSeen(order, 1_000);
    expect(stale.headers.get('location')).toBe(`/pay/${order.paymentPageUrl.split('/').at(-1)}`);
    expect(await read(order)).toMatchObject({ status: 'open', payment: null });
    const page = await (await fetch(order.paymentPageUrl)).text();
    expect(page).toContain('25.00');
    expect(page).toContain('name="due" value="2500"');
    expect((await payAsSeen(order, 2_500)).headers.get('location')).toContain('/sandbox-bank/');
  });

  it('who begins in the same moment pays what was seen, or nothing', async () => {
    await rounds(async (round) => {
      const order = await made({ amount: 1_000 });
      // Now the one is first, now the other.
      const begun = round % 2 ? payAsSeen(order, 1_000) : undefined;
      const [changed] = await Promise.all([
        change(order, { amount: 2_500 }),
        begun ?? payAsSeen(order, 1_000),
      ]);
      const { amount, status, payment } = await read(order);
      const isChanged = changed.status === 200;
      expect([200, 409]).toContain(changed.status);
      expect([amount, status, payment?.['amount']]).toEqual(
        isChanged ? [2_500, 'open', undefined] : [1_000, 'processing', 1_000],
      );
    });
    await expectHealthy(app);
  });

  it('of a page that says no amount pays what is asked for now', async () => {
    const order = await made({ amount: 1_000 });
    await change(order, { amount: 2_500 });
    await startAtPage(order);
    expect((await read(order)).payment).toMatchObject({ amount: 2_500 });
  });
});
