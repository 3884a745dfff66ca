import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { brokenIn, Doctor } from '../src/database/doctor/doctor.js';
import { Sweeper } from '../src/payments/sweeper.js';
import type { SandboxMessage } from '../src/providers/sandbox/sandbox-message.js';
import { SANDBOX_SIGNATURE, SANDBOX_TIMESTAMP } from '../src/providers/sandbox/sandbox.provider.js';
import { Bank, signed, startPayment } from './support/bank.js';
import type { OrderJson } from './support/client.js';
import { factsOf, select } from './support/facts.js';
import { textOf } from './support/markup.js';
import { person, signedIn, withTotp } from './support/people.js';
import { openShop } from './support/shop.js';

const HOUR_MS = 3_600_000;
/** A callback is normally applied right after it was stored; later, the sweep takes it up. */
const FORGOTTEN_MS = 2_001;

const { app, shop, bank } = await openShop();
const stranger = await app.merchant();
const strangersBank = await Bank.of(app, stranger);

const odd = async (discrepancy: string): Promise<number> =>
  Number(
    new RegExp(
      `^payment_orders_callback_discrepancies_total\\{.*discrepancy="${discrepancy}".*\\} (.*)$`,
      'm',
    ).exec(await (await fetch(`${app.url}/metrics`)).text())?.[1] ?? 0,
  );

const broken = async (): Promise<string> =>
  JSON.stringify(brokenIn(await app.get(Doctor).examine({ overdue: false })));

describe('callbacks of a provider', () => {
  interface Envelope {
    readonly from?: Bank;
    readonly secret?: string;
    /** Seconds that the sender's clock is ahead. */
    readonly ahead?: number;
    readonly to?: string;
    readonly headers?: Record<string, string>;
    readonly tampered?: string;
    /** It is not applied, so nobody waits for that. */
    readonly isLeft?: boolean;
  }

  async function post(message: unknown, envelope: Envelope = {}) {
    const { from = bank, ahead = 0, isLeft = false } = envelope;
    const { secret = from.account.secret, to = `sandbox/${from.account.id}` } = envelope;
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const reply = await shop.call('POST', `/provider-callback/${to}`, envelope.tampered ?? body, {
      ...signed(app, secret, body, ahead),
      ...envelope.headers,
    });
    if (reply.status === 200 && !isLeft) await bank.settled();
    return reply;
  }

  const stored = (sql = '', ...values: unknown[]) =>
    select(app, `SELECT * FROM provider_events WHERE merchant_id = $1 ${sql}`, [
      shop.merchantId,
      ...values,
    ]);

  async function waitingOrder(fields = {}): Promise<{ order: OrderJson; payment: string }> {
    const order = await shop.order(fields);
    return { order, payment: await startPayment(app, order) };
  }

  const read = async ({ txid }: OrderJson) => (await shop.read(txid)).body;

  it('are stored, answered and applied', async () => {
    const { order, payment } = await waitingOrder();
    const message = bank.message(order, payment, 'booked', { debtorName: 'Erika' });
    const reply = await post(message);
    expect([reply.status, reply.body]).toEqual([200, { received: true }]);
    expect(await stored('AND payment_id = $2', payment)).toMatchObject([
      {
        provider_event_id: `${bank.account.id}:${message.id}`,
        account_id: bank.account.id,
        mode: 'test',
        result: 'applied',
        body: JSON.stringify(message),
      },
    ]);
    expect(await read(order)).toMatchObject({
      status: 'paid',
      payment: { payerAccountName: 'Erika' },
    });
  });

  it('count once, however often they come', async () => {
    const { order, payment } = await waitingOrder();
    const message = bank.message(order, payment, 'booked');
    for (let n = 0; n < 3; n++) {
      expect((await post(message)).status).toBe(200);
      app.clock.advance(1_000);
    }
    expect(await stored('AND payment_id = $2', payment)).toHaveLength(1);
    expect(await read(order)).toMatchObject({ exception: 'none', amountReceived: 8990 });
  });

  it('under an id that is taken wait for a person, once, when they say something else', async () => {
    const { order, payment } = await waitingOrder();
    const message = bank.message(order, payment, 'booked');
    const other = { ...message, amount: 9_999, debtorName: 'Someone Else' };
    const before = await odd('other_content');
    for (const words of [message, { ...message, sentAt: 2 }, other, other]) await post(words);
    expect(await odd('other_content')).toBe(before + 1);
    expect(await read(order)).toMatchObject({ status: 'paid', amountReceived: 8990 });
    const [first, second, ...more] = await stored('AND payment_id = $2 ORDER BY id', payment);
    expect([first, second, more]).toMatchObject([
      { result: 'applied', body: JSON.stringify(message) },
      { result: 'mismatch', body: JSON.stringify(other), report: { sameIdAs: first!['id'] } },
      [],
    ]);
    expect(await broken()).toContain(second!['id']);
    const page = '/portal/platform/unallocated/test';
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    expect(textOf((await operator.get(page)).html)).toContain('has the same ID');
    await operator.post(`${page}/${shop.merchantId}/${String(second!['id'])}/handled`);
    expect(await broken()).not.toContain(second!['id']);
  });

  it('that are erased are compared without the payer', async () => {
    const { order, payment } = await waitingOrder();
    const message = bank.message(order, payment, 'booked', { debtorName: 'Erika' });
    await post(message);
    await select(
      app,
      `UPDATE provider_events SET body = '', report = without_payer(report) WHERE payment_id = $1`,
      [payment],
    );
    await post({ ...message, debtorName: 'E. Mustermann' });
    expect(await stored('AND payment_id = $2', payment)).toHaveLength(1);
    await post({ ...message, amount: 1 });
    expect(await stored('AND payment_id = $2', payment)).toHaveLength(2);
  });

  it('may name our ids in capitals', async () => {
    const { order, payment } = await waitingOrder();
    const { merchant, order: txid, ...rest } = bank.message(order, payment, 'booked');
    const ids = { merchant: merchant.toUpperCase(), order: txid.toUpperCase() };
    const to = `sandbox/${bank.account.id.toUpperCase()}`;
    await post({ ...rest, ...ids, payment: payment.toUpperCase() }, { to });
    expect(await read(order)).toMatchObject({ status: 'paid' });
    expect(await stored('AND payment_id = $2', payment)).toMatchObject([
      { result: 'applied', report: { txid: order.txid, merchantId: shop.merchantId } },
    ]);
  });

  it('may come in the wrong order, but a refusal after the money is for a person', async () => {
    const { order, payment } = await waitingOrder();
    for (const result of ['booked', 'in_progress', 'refused'] as const) {
      app.clock.advance(1_000);
      await post(bank.message(order, payment, result));
    }
    expect(await read(order)).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } });
    const results = await stored('AND payment_id = $2 ORDER BY id', payment);
    expect(results.map(({ result }) => result)).toEqual(['applied', 'ignored', 'mismatch']);
  });

  it.each<[string, object, object]>([
    ['less', { amount: 8989 }, { status: 'open', exception: 'underpaid', amountReceived: 8989 }],
    ['more', { amount: 8991 }, { status: 'paid', exception: 'overpaid', amountReceived: 8991 }],
    [
      'another currency',
      { currency: 'USD' },
      { status: 'open', exception: 'wrong_currency', amountReceived: 0 },
    ],
  ])('believe what came: %s', async (_, changes, expected) => {
    const { order, payment } = await waitingOrder();
    expect((await post(bank.message(order, payment, 'booked', changes))).status).toBe(200);
    expect(await read(order)).toMatchObject(expected);
  });

  describe('without a good signature', () => {
    it.each<[string, (message: string) => Envelope]>([
      ['none at all', () => ({ headers: { [SANDBOX_SIGNATURE]: '' } })],
      ['a wrong one', () => ({ headers: { [SANDBOX_SIGNATURE]: 'a'.repeat(64) } })],
      ['the secret of another account', () => ({ secret: strangersBank.account.secret })],
      ['another body', (message) => ({ tampered: message.replace('8990', '1') })],
      ['another timestamp', () => ({ headers: { [SANDBOX_TIMESTAMP]: '1' } })],
      ['no timestamp', () => ({ headers: { [SANDBOX_TIMESTAMP]: '' } })],
      ['301 seconds late', () => ({ ahead: -301 })],
      ['301 seconds early', () => ({ ahead: 301 })],
    ])('change nothing: %s', async (_, envelopeOf) => {
      const { order, payment } = await waitingOrder();
      const message = JSON.stringify(bank.message(order, payment, 'booked'));
      const reply = await post(message, envelopeOf(message));
      expect(reply).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
      expect(await stored('AND payment_id = $2', payment)).toEqual([]);
      expect((await read(order)).status).toBe('processing');
    });

    it.each([-300, 300])('are late or early: %i seconds are not', async (ahead) => {
      const { order, payment } = await waitingOrder();
      const message = bank.message(order, payment, 'booked');
      expect((await post(message, { ahead })).status).toBe(200);
    });
  });

  describe('about something else', () => {
    it('wait for a payment that is not there, for a day', async () => {
      const other = await app.merchant();
      const order = await other.order();
      const payment = randomUUID();
      const message = { ...bank.message(order, payment, 'booked'), merchant: other.merchantId };
      const envelope = { from: await Bank.of(app, other), isLeft: true };
      expect((await post(message, envelope)).status).toBe(200);
      for (const hours of [1, 25]) {
        app.clock.advance(hours * HOUR_MS);
        await app.get(Sweeper).run();
      }
      const sql = 'SELECT result FROM provider_events WHERE payment_id = $1';
      expect(await select(app, sql, [payment])).toEqual([{ result: null }]);
      expect((await other.read(order.txid)).body).toMatchObject({
        status: 'expired',
        payment: null,
      });
    });

    it.each<[string, () => Promise<Partial<Record<'order' | 'merchant', string>>>]>([
      ['order', async () => ({ order: (await shop.order()).txid })],
      ['merchant', async () => ({ merchant: stranger.merchantId })],
    ])('do not match when they name another %s', async (_, changesOf) => {
      const { order, payment } = await waitingOrder();
      const before = app.log.length;
      const message = bank.message(order, payment, 'booked', await changesOf());
      expect((await post(message)).status).toBe(200);
      expect(await stored('AND payment_id = $2', payment)).toMatchObject([{ result: 'mismatch' }]);
      expect((await read(order)).status).toBe('processing');
      expect(app.log.slice(before).join()).toContain('callback does not match');
    });

    it('reach no order of another merchant', async () => {
      const [victim, thief] = [await app.merchant(), await app.merchant()];
      const order = await victim.order();
      const payment = await startPayment(app, order);
      const message = { ...bank.message(order, payment, 'booked'), merchant: victim.merchantId };
      const envelope = { from: await Bank.of(app, thief), isLeft: true };
      expect((await post(message, envelope)).status).toBe(200);
      app.clock.advance(FORGOTTEN_MS);
      await app.get(Sweeper).run();
      expect((await victim.read(order.txid)).body.status).toBe('processing');
    });
  });

  it('that the process forgot are applied by the sweep', async () => {
    const { order, payment } = await waitingOrder();
    await bank.receive(bank.message(order, payment, 'booked'));
    await app.get(Sweeper).run();
    expect((await read(order)).status).toBe('processing');
    app.clock.advance(FORGOTTEN_MS);
    await app.get(Sweeper).run();
    expect(await read(order)).toMatchObject({ status: 'paid' });
    expect((await factsOf(app, order.txid)).events).toEqual([
      'order.created',
      'order.processing',
      'order.paid',
    ]);
  });

  it('lose what no database could keep, not the money', async () => {
    const { order, payment } = await waitingOrder();
    const payer = { debtorName: 'a\0b', debtorAccount: '\ud800' };
    expect((await post(bank.message(order, payment, 'booked', payer))).status).toBe(200);
    expect(await read(order)).toMatchObject({
      status: 'paid',
      payment: { payerAccountName: null, payerAccountNumber: null },
    });
  });

  it.each<[string, unknown, Envelope, number]>([
    ['over 64 kB', ' '.repeat(65 * 1024), {}, 413],
    ['a form', 'a=b', { headers: { 'content-type': 'text/plain' } }, 415],
    ['an account that is not there', {}, { to: `sandbox/${randomUUID()}` }, 404],
    ['an account that is no id', {}, { to: 'sandbox/1' }, 404],
    ['a provider that is not there', {}, { to: `paypal/${randomUUID()}` }, 404],
  ])('are refused: %s', async (_, message, envelope, status) => {
    const before = (await stored()).length;
    const reply = await post(message, envelope);
    expect(reply.status).toBe(status);
    expect(reply.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await stored()).toHaveLength(before);
  });

  it.each<[string, string | Buffer]>([
    ['no JSON', 'booked'],
    ['nothing', ''],
    ['a list', '[]'],
    ['an id with NUL', '{ "id": "\\u0000" }'],
    ['bytes that are no text', Buffer.from([0, 0xff, 0xfe])],
  ])('are kept for a person when nobody can read them: %s', async (_, body) => {
    const { id, secret } = bank.account;
    const bytes = Buffer.from(body);
    const unread = () => stored('AND payment_id IS NULL ORDER BY id');
    const { length } = await unread();
    for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
      const reply = await fetch(`${app.url}/provider-callback/sandbox/${id}`, {
        method: 'POST',
        headers: { ...signed(app, secret, body), 'content-type': type },
        body: bytes,
      });
      expect([reply.status, await reply.json()]).toEqual([200, { received: true }]);
      app.clock.advance(1_000);
    }
    const [kept, ...others] = (await unread()).slice(length);
    expect([kept, others]).toMatchObject([{ payment_id: null, result: 'mismatch' }, []]);
    const { body: text } = kept as { body: string };
    const [, code] = /^base64:(.*)$/.exec(text) ?? [];
    expect(code === undefined ? Buffer.from(text) : Buffer.from(code, 'base64')).toEqual(bytes);
  });

  it.each<[string, Partial<Record<keyof SandboxMessage, unknown>>]>([
    ['more than an order may have', { amount: 100_000_000_000 }],
    ['less than nothing', { amount: -5_000 }],
    ['part of a cent', { amount: 50.5 }],
    ['a currency in small letters', { currency: 'eur' }],
    ['a payment that is no id', { payment: 'p1' }],
    ['a word of a later version', { result: 'charged_back' }],
  ])('are shown to a person when this version does not know: %s', async (what, changes) => {
    const { order, payment } = await waitingOrder();
    const counted = await odd('unreadable');
    const message = { ...bank.message(order, payment, 'booked'), ...changes, debtorName: what };
    expect((await post(message)).status).toBe(200);
    expect(await odd('unreadable')).toBe(counted + 1);
    expect((await read(order)).status).toBe('processing');
    const [{ id }] = (await stored('AND body LIKE $2', `%${what}%`)) as [{ id: string }];
    expect(await broken()).toContain(id);
    const page = '/portal/platform/unallocated/test';
    const operator = await signedIn(app, await withTotp(app, await person(app, 'operator')));
    expect(textOf((await operator.get(page)).html)).toContain(what);
    await operator.post(`${page}/${shop.merchantId}/${id}/handled`);
    expect(textOf((await operator.get(page)).html)).not.toContain(what);
    expect(await broken()).not.toContain(id);
  });

  it('go to the account of the provider that they are from', async () => {
    const { order, payment } = await waitingOrder();
    const message = bank.message(order, payment, 'booked');
    const reply = await post(message, { to: `constructor/${bank.account.id}` });
    expect(reply.status).toBe(404);
  });
});
