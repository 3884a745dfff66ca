import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Sweeper } from '../src/payments/sweeper.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { factsOf, select } from './support/facts.js';
import { openShop } from './support/shop.js';

type Fields = Record<string, unknown>;

const { app, shop } = await openShop();

describe('the test helper', () => {
  const help = (txid: string, body: unknown, client = shop) =>
    client.call('POST', `/api/test-helpers/order/${txid}/payment`, body);
  const statusOf = async (txid: string) => (await shop.read(txid)).body.status;
  /** What the job scheduler does when the time has come. */
  const sendDue = () => app.get(SandboxCallbacksService).sendDue();

  it.each<[string, Fields, Fields]>([
    ['pays', { outcome: 'paid' }, { status: 'paid', payment: { status: 'succeeded' } }],
    [
      'declines',
      { outcome: 'declined' },
      { status: 'open', payment: { status: 'failed', error: { code: 'declined' } } },
    ],
    [
      'lets wait',
      { outcome: 'pending' },
      { status: 'processing', statusReason: 'awaiting_provider', payment: { status: 'pending' } },
    ],
    [
      'says nothing',
      { outcome: 'unknown' },
      { status: 'processing', statusReason: 'outcome_unknown', payment: { status: 'pending' } },
    ],
    [
      'pays another amount',
      { outcome: 'paid', amount: 1 },
      { amountReceived: 1, exception: 'underpaid' },
    ],
    [
      'pays another currency',
      { outcome: 'paid', currency: 'JPY' },
      { exception: 'wrong_currency' },
    ],
    [
      'takes nulls for nothing',
      {
        outcome: 'paid',
        payerAccountNumber: null,
        payerAccountName: null,
        amount: null,
        currency: null,
        afterSeconds: null,
        repeat: null,
      },
      { status: 'paid', payment: { payerAccountNumber: null, payerAccountType: null } },
    ],
  ])('%s', async (_, body, expected) => {
    const { txid } = await shop.order();
    const reply = await help(txid, body);
    expect(reply).toMatchObject({ status: 200, body: expected });
    expect(reply.text).toBe((await shop.read(txid)).text);
  });

  it.each([
    ['DE89370400440532013000', 'iban'],
    ['erika@example.com', 'email'],
    ['12345678', 'domestic'],
    ['日本銀行 123', 'domestic'],
  ])('names the payer’s account: %s', async (payerAccountNumber, payerAccountType) => {
    const { txid } = await shop.order();
    const payer = { payerAccountNumber, payerAccountName: 'Ερικα <b>' };
    expect((await help(txid, { outcome: 'paid', ...payer })).body).toMatchObject({
      payment: { ...payer, payerAccountType },
    });
  });

  it('takes "newest" for the order made last', async () => {
    const busy = await app.merchant();
    const older = await busy.order();
    app.clock.advance(1);
    const newest = await busy.order();
    const paid = await help('newest', { outcome: 'paid' }, busy);
    expect(paid.body).toMatchObject({ txid: newest.txid, status: 'paid' });
    expect((await busy.read(older.txid)).body.status).toBe('open');
    expect((await help('newest', { outcome: 'paid' }, await app.merchant())).status).toBe(404);
  });

  it('answers for the payment under way', async () => {
    const { txid } = await shop.order();
    const first = await shop.pay(txid, { outcome: 'pending' });
    const second = await shop.pay(txid, { outcome: 'unknown' });
    const third = await shop.pay(txid, { outcome: 'paid' });
    const ids = [first, second, third].map(({ body }) => body.payment?.['id']);
    expect(new Set(ids).size).toBe(1);
    expect(third.body.status).toBe('paid');
  });

  it('answers later, when asked to', async () => {
    const { txid } = await shop.order();
    const waiting = await help(txid, { outcome: 'paid', afterSeconds: 30 });
    expect(waiting.body).toMatchObject({ status: 'processing', statusReason: 'awaiting_provider' });
    app.clock.advance(29_999);
    await sendDue();
    expect(await statusOf(txid)).toBe('processing');
    const decided = await help(txid, { outcome: 'declined' });
    expect(decided).toMatchObject({ status: 409, body: { code: 'payment_in_progress' } });
    app.clock.advance(1);
    await sendDue();
    expect(await statusOf(txid)).toBe('paid');
  });

  it('takes "pending" with a time for a late payment', async () => {
    const { txid } = await shop.order();
    await help(txid, { outcome: 'pending', afterSeconds: 5 });
    app.clock.advance(5_000);
    await sendDue();
    expect(await statusOf(txid)).toBe('paid');
  });

  it('lets a look find what the bank has not told yet', async () => {
    const { txid } = await shop.order();
    await help(txid, { outcome: 'paid', afterSeconds: 3_600 });
    app.clock.advance(3_600_000);
    await app.get(Sweeper).run();
    expect(await statusOf(txid)).toBe('paid');
    await sendDue();
    expect((await shop.read(txid)).body).toMatchObject({ status: 'paid', exception: 'none' });
  });

  it('repeats its message, which counts once', async () => {
    const { txid } = await shop.order();
    expect((await help(txid, { outcome: 'paid', repeat: 20 })).body).toMatchObject({
      status: 'paid',
      exception: 'none',
      amountReceived: 8990,
    });
    const { events, payments } = await factsOf(app, txid);
    expect(events).toEqual(['order.created', 'order.processing', 'order.paid']);
    const messages = 'SELECT result FROM provider_events WHERE payment_id = $1';
    expect(await select(app, messages, [payments[0]?.['id']])).toEqual([{ result: 'applied' }]);
  });

  it('pays nothing that is finished', async () => {
    const { txid } = await shop.order();
    await shop.pay(txid);
    const again = await shop.pay(txid);
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'order_not_payable', orderStatus: 'paid' },
    });
  });

  it('is for test keys, and for the caller’s own orders', async () => {
    const { txid } = await shop.order();
    const live = await app.key(shop.merchantId, { mode: 'live' });
    expect(await help(txid, { outcome: 'paid' }, live)).toMatchObject({
      status: 403,
      body: { code: 'test_mode_only' },
    });
    const stranger = await app.merchant();
    expect((await help(txid, { outcome: 'paid' }, stranger)).status).toBe(404);
    expect((await help(randomUUID(), { outcome: 'paid' })).status).toBe(404);
    expect(await statusOf(txid)).toBe('open');
  });

  it.each<[string, unknown, string]>([
    ['no outcome', {}, '/outcome required'],
    ['an unknown outcome', { outcome: 'won' }, '/outcome wrong_format'],
    ['no money', { outcome: 'paid', amount: 0 }, '/amount out_of_range'],
    ['an amount in a text', { outcome: 'paid', amount: '5' }, '/amount wrong_type'],
    ['gold', { outcome: 'paid', currency: 'XAU' }, '/currency unknown_currency'],
    ['the past', { outcome: 'paid', afterSeconds: -1 }, '/afterSeconds out_of_range'],
    ['too long a time', { outcome: 'paid', afterSeconds: 3_601 }, '/afterSeconds out_of_range'],
    ['no times', { outcome: 'paid', repeat: 0 }, '/repeat out_of_range'],
    ['too many times', { outcome: 'paid', repeat: 21 }, '/repeat out_of_range'],
    [
      'a long account',
      { outcome: 'paid', payerAccountNumber: 'x'.repeat(141) },
      '/payerAccountNumber too_long',
    ],
    ['NUL', { outcome: 'paid', payerAccountName: '\0' }, '/payerAccountName control_character'],
    ['a misspelt field', { outcome: 'paid', after: 1 }, '/after unknown_member'],
  ])('refuses %s', async (_, body, fault) => {
    const { txid } = await shop.order();
    const [pointer, code] = fault.split(' ');
    expect(await help(txid, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
    expect(await statusOf(txid)).toBe('open');
  });
});
