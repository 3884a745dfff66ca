import { describe, expect, it } from '@jest/globals';
import { bookedFor, select } from './support/facts.js';
import { Helping, type Step } from './support/helping.js';
import { expectSound } from './support/payout-invariants.js';
import { rounds, tally, together } from './support/race.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const tests = new Helping(app, shop);

type Fields = Record<string, unknown>;

describe('the test helpers refuse', () => {
  it.each<[string, readonly Step[], string, Fields | undefined, string]>([
    [
      'the expiry of a paid order',
      [['payment', { outcome: 'paid' }]],
      'expire',
      undefined,
      'order_finished',
    ],
    ['the expiry of a cancelled order', [['cancel']], 'expire', undefined, 'order_finished'],
    [
      'late money where no payment began',
      [['expire']],
      'late-payment',
      undefined,
      'no_ended_payment',
    ],
    [
      'late money while the bank waits',
      [['payment', { outcome: 'pending' }]],
      'late-payment',
      {},
      'no_ended_payment',
    ],
    [
      'late money of a payment that paid',
      [['payment', { outcome: 'paid' }]],
      'late-payment',
      {},
      'no_ended_payment',
    ],
    ['to accept what did not come', [['expire']], 'accept', undefined, 'order_not_acceptable'],
    ['to accept for an open order', [], 'accept', undefined, 'order_not_acceptable'],
    [
      'to accept a part',
      [['payment', { outcome: 'declined' }], ['expire'], ['late-payment', { amount: 5 }]],
      'accept',
      undefined,
      'order_not_acceptable',
    ],
    [
      'a payer who cancels what is paid',
      [['payment', { outcome: 'paid' }]],
      'cancel',
      undefined,
      'order_not_cancelable',
    ],
    ['to pay what expired', [['expire']], 'payment', { outcome: 'paid' }, 'order_not_payable'],
  ])('%s', async (_, steps, helper, body, code) => {
    const txid = await tests.order();
    await tests.walk(txid, ...steps);
    const before = await tests.read(txid);
    expect(await tests.help(txid, helper, body)).toMatchObject({
      status: 409,
      body: { code, orderStatus: before.status },
    });
    expect(await tests.read(txid)).toEqual(before);
  });

  it.each<[string, string, Fields, string]>([
    [
      'a reason for money',
      'payment',
      { outcome: 'paid', declineCode: 'declined' },
      '/declineCode wrong_format',
    ],
    [
      'a reason that no bank has',
      'payment',
      { outcome: 'declined', declineCode: 'no' },
      '/declineCode wrong_format',
    ],
    [
      'a reason out of every object',
      'payment',
      { outcome: 'declined', declineCode: 'constructor' },
      '/declineCode wrong_format',
    ],
    [
      'a kind of account that there is not',
      'payment',
      { outcome: 'paid', payerAccountType: 'purse' },
      '/payerAccountType wrong_format',
    ],
    [
      'a payer who is known sooner',
      'payment',
      { outcome: 'paid', payerAfterSeconds: 0 },
      '/payerAfterSeconds out_of_range',
    ],
    ['an outcome of late money', 'late-payment', { outcome: 'paid' }, '/outcome unknown_member'],
  ])('%s', async (_, helper, body, fault) => {
    const txid = await tests.order();
    const [pointer, code] = fault.split(' ');
    expect(await tests.help(txid, helper, body)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer, code }] },
    });
    expect((await tests.read(txid)).status).toBe('open');
  });

  it.each(['late-payment', 'expire', 'cancel', 'accept'])(
    '%s with a live key, and for orders of others',
    async (helper) => {
      const txid = await tests.order();
      const live = await app.key(shop.merchantId, { mode: 'live' });
      const reader = await app.key(shop.merchantId, { scopes: ['orders:read'] });
      const refusals = [
        [live, 403, 'test_mode_only'],
        [reader, 403, 'missing_scope'],
        [await app.merchant(), 404, 'order_not_found'],
      ] as const;
      for (const [client, status, code] of refusals) {
        expect(await tests.help(txid, helper, undefined, client)).toMatchObject({
          status,
          body: { code },
        });
      }
      expect((await tests.read(txid)).status).toBe('open');
    },
  );
});

describe('the test helpers, called again and at once', () => {
  it('leave an expired order as it is', async () => {
    const txid = await tests.order();
    const first = await tests.help(txid, 'expire');
    app.clock.advance(1_000);
    expect((await tests.help(txid, 'expire')).text).toBe(first.text);
  });

  it('end an order in the very moment in which it was made', async () => {
    const { txid } = await shop.order();
    expect((await tests.help(txid, 'expire')).body.status).toBe('expired');
  });

  it('take "newest" for the order made last', async () => {
    const other = await app.merchant();
    const { txid } = await other.order();
    app.clock.advance(1_000);
    expect((await tests.help('newest', 'expire', undefined, other)).body).toMatchObject({
      txid,
      status: 'expired',
    });
  });

  it('send late money once for each payment, whoever asks how often', async () => {
    await rounds(async () => {
      const txid = await tests.order();
      await tests.walk(
        txid,
        ['payment', { outcome: 'declined' }],
        ['payment', { outcome: 'paid' }],
      );
      const late = async () => (await tests.help(txid, 'late-payment')).status;
      const outcomes = await together(late, 4);
      expect(tally(outcomes)).toEqual({ 200: 1, 409: 3 });
      expect(await tests.read(txid)).toMatchObject({ amountReceived: 17_980 });
      expect(await bookedFor(app, txid)).toBe(2);
    });
    await expectSound(app, [shop.merchantId]);
  });

  it('let an order either expire or be paid', async () => {
    await rounds(async () => {
      const txid = await tests.order();
      await Promise.all([
        tests.help(txid, 'expire'),
        tests.help(txid, 'payment', { outcome: 'paid' }),
      ]);
      const { status, amountReceived, exception } = await tests.read(txid);
      expect(['paid 8990 none', 'expired 0 none']).toContain(
        `${status} ${amountReceived} ${exception}`,
      );
    });
    await expectSound(app, [shop.merchantId]);
  });

  it('pass over no message: what the bank sent is stored as from any company', async () => {
    const txid = await tests.order();
    await tests.walk(txid, ['payment', { outcome: 'declined' }], ['expire'], ['late-payment']);
    const sql = `SELECT e.result FROM provider_events e JOIN payments p ON p.id = e.payment_id
      WHERE p.txid = $1 ORDER BY e.received_at`;
    expect(await select(app, sql, [txid])).toEqual([{ result: 'applied' }, { result: 'applied' }]);
  });
});
