import { describe, expect, it } from '@jest/globals';
import { DECLINE_CODES } from '../src/common/decline-codes.js';
import { ACCOUNT_TYPES } from '../src/database/payments/payment.entity.js';
import { SandboxCallbacksService } from '../src/sandbox-bank/sandbox-callbacks.service.js';
import { factsOf } from './support/facts.js';
import { Helping, type Step } from './support/helping.js';
import { expectHealthy, expectSound } from './support/payout-invariants.js';
import { openShop } from './support/shop.js';

const { app, shop } = await openShop();
const tests = new Helping(app, shop);

type Fields = Record<string, unknown>;

const LATE = { exception: 'paid_late', amountReceived: 8990 };

describe('the test helpers reach', () => {
  it.each<[string, readonly Step[], Fields, readonly string[]]>([
    [
      'an order that nobody paid in time',
      [['expire']],
      { status: 'expired', statusReason: 'not_paid', exception: 'none', payment: null },
      ['order.expired'],
    ],
    [
      'an order of which a part was paid in time',
      [['payment', { outcome: 'paid', amount: 1_000 }], ['expire']],
      { status: 'expired', statusReason: 'partially_paid', exception: 'underpaid' },
      ['order.processing', 'order.exception', 'order.expired'],
    ],
    [
      'an order whose payer was at the bank when the time was over',
      [['payment', { outcome: 'pending' }], ['expire']],
      { status: 'expired', statusReason: 'not_paid', payment: { status: 'cancelled' } },
      ['order.processing', 'order.expired'],
    ],
    [
      'an order whose bank says nothing when the time is over',
      [['payment', { outcome: 'unknown' }], ['expire']],
      { status: 'processing', statusReason: 'outcome_unknown' },
      ['order.processing', 'order.processing'],
    ],
    [
      'money for an expired order',
      [['payment', { outcome: 'pending' }], ['expire'], ['late-payment']],
      { ...LATE, status: 'expired', payment: { status: 'succeeded' } },
      ['order.processing', 'order.expired', 'order.exception'],
    ],
    [
      'money for a cancelled order',
      [['payment', { outcome: 'pending' }], ['delete'], ['late-payment']],
      { ...LATE, status: 'cancelled', statusReason: 'by_merchant' },
      ['order.processing', 'order.cancelled', 'order.exception'],
    ],
    [
      'late money that a person accepted',
      [['payment', { outcome: 'declined' }], ['expire'], ['late-payment'], ['accept']],
      { status: 'paid', statusReason: 'manual', finished: true },
      ['order.processing', 'payment.failed', 'order.expired', 'order.exception', 'order.paid'],
    ],
    [
      'money that came twice',
      [['payment', { outcome: 'declined' }], ['payment', { outcome: 'paid' }], ['late-payment']],
      { status: 'paid', exception: 'duplicate_payment', amountReceived: 17_980 },
      ['order.processing', 'payment.failed', 'order.processing', 'order.paid', 'order.exception'],
    ],
    [
      'a bank that takes its refusal back',
      [
        ['payment', { outcome: 'declined' }],
        ['late-payment', { amount: 9_000 }],
      ],
      { status: 'paid', statusReason: 'overpaid', exception: 'overpaid', amountReceived: 9_000 },
      ['order.processing', 'payment.failed', 'order.paid', 'order.exception'],
    ],
    [
      'late money in another currency',
      [['payment', { outcome: 'declined' }], ['expire'], ['late-payment', { currency: 'JPY' }]],
      { status: 'expired', exception: 'wrong_currency', amountReceived: 0 },
      ['order.processing', 'payment.failed', 'order.expired', 'order.exception'],
    ],
    [
      'a payer who cancels',
      [['cancel']],
      { status: 'cancelled', statusReason: 'by_payer', exception: 'none' },
      ['order.cancelled'],
    ],
    [
      'a payer who cancels while the bank waits',
      [['payment', { outcome: 'pending' }], ['cancel']],
      { status: 'cancelled', statusReason: 'by_payer', payment: { status: 'cancelled' } },
      ['order.processing', 'order.cancelled'],
    ],
    [
      'an unknown outcome that was a payment',
      [
        ['payment', { outcome: 'unknown' }],
        ['payment', { outcome: 'paid' }],
      ],
      { status: 'paid', statusReason: 'exact' },
      ['order.processing', 'order.processing', 'order.paid'],
    ],
    [
      'an unknown outcome that was a refusal',
      [
        ['payment', { outcome: 'unknown' }],
        ['payment', { outcome: 'declined', declineCode: 'timeout' }],
      ],
      { status: 'open', payment: { status: 'failed', error: { code: 'timeout' } } },
      ['order.processing', 'order.processing', 'payment.failed'],
    ],
    [
      'an unknown outcome that was a refusal, after the time',
      [
        ['payment', { outcome: 'unknown' }],
        ['expire'],
        ['payment', { outcome: 'declined' }],
        ['expire'],
      ],
      { status: 'expired', statusReason: 'not_paid' },
      ['order.processing', 'order.processing', 'payment.failed', 'order.expired'],
    ],
    [
      'no attempt that is left',
      Array.from({ length: 10 }, () => [
        'payment',
        { outcome: 'declined', declineCode: 'insufficient_funds' },
      ]),
      { status: 'failed', statusReason: 'insufficient_funds', finished: true },
      [
        ...Array.from({ length: 10 }, () => ['order.processing', 'payment.failed']).flat(),
        'order.failed',
      ],
    ],
  ])('%s', async (_, steps, expected, events) => {
    const txid = await tests.order();
    expect(await tests.walk(txid, ...steps)).toMatchObject(expected);
    expect((await factsOf(app, txid)).events).toEqual(['order.created', ...events]);
  });

  it.each(Object.keys(DECLINE_CODES))('a payment declined with %s', async (declineCode) => {
    const { payment } = await tests.walk(await tests.order(), [
      'payment',
      { outcome: 'declined', declineCode },
    ]);
    expect(payment).toMatchObject({ status: 'failed', error: { code: declineCode } });
  });

  it.each(ACCOUNT_TYPES)('a payer with an account of the kind %s', async (payerAccountType) => {
    const paid = { outcome: 'paid', payerAccountType };
    const { payment } = await tests.walk(await tests.order(), ['payment', paid]);
    expect(payment).toMatchObject({ payerAccountType, payerAccountNumber: expect.any(String) });
    const named = { ...paid, payerAccountNumber: 'my-4711' };
    expect((await tests.walk(await tests.order(), ['payment', named])).payment).toMatchObject({
      payerAccountType,
      payerAccountNumber: 'my-4711',
    });
  });

  it.each<[string, Fields, Fields]>([
    ['at once', {}, { payerAccountNumber: 'DE89370400440532013000', payerAccountType: 'iban' }],
    [
      'after a while',
      { afterSeconds: 60, payerAccountName: 'Erika Mustermann' },
      { payerAccountNumber: null, payerAccountName: 'Erika Mustermann' },
    ],
  ])('a payer who becomes known after the money, which came %s', async (_, fields, payer) => {
    const txid = await tests.order();
    await tests.walk(txid, ['payment', { outcome: 'paid', payerAfterSeconds: 30, ...fields }]);
    const sendDue = () => app.get(SandboxCallbacksService).sendDue();
    if (fields['afterSeconds']) {
      expect((await tests.read(txid)).status).toBe('processing');
      app.clock.advance(59_000);
      await sendDue();
      app.clock.advance(1_000);
    }
    const before = await tests.read(txid);
    expect(before).toMatchObject({
      status: 'paid',
      payment: { payerAccountNumber: null, payerAccountType: null, payerAccountName: null },
    });
    app.clock.advance(28_000);
    await sendDue();
    expect(await tests.read(txid)).toEqual(before);
    app.clock.advance(1_000);
    await sendDue();
    expect(await tests.read(txid)).toMatchObject({ status: 'paid', payment: payer });
    await sendDue();
    const { events } = await factsOf(app, txid);
    expect(events.filter((type) => type === 'payment.updated')).toHaveLength(1);
    expect(events.at(-1)).toBe('payment.updated');
  });
});

describe('the test helpers leave', () => {
  it('the books in order', async () => {
    await expectSound(app, [shop.merchantId]);
    await expectHealthy(app);
  });
});
