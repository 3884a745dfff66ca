import { describe, expect, it } from '@jest/globals';
import type { OrderState, PageOrder, PageState } from './page.model.js';
import { fingerprintOf, pageStateOf, refusalOf, transferOf } from './page-state.js';

const facts: OrderState = {
  status: 'open',
  statusReason: null,
  exception: 'none',
  lastAttemptFailed: false,
  amountReceived: 0,
};

const table: [Partial<OrderState>, PageState][] = [
  [{}, 'open'],
  [{ lastAttemptFailed: true }, 'declined'],
  [{ amountReceived: 100, exception: 'underpaid' }, 'underpaid'],
  [{ amountReceived: 100, lastAttemptFailed: true }, 'underpaid'],
  [{ exception: 'wrong_currency' }, 'unknown'],
  [{ status: 'processing', statusReason: 'awaiting_provider' }, 'processing'],
  [{ status: 'processing', statusReason: 'outcome_unknown' }, 'unknown'],
  [{ status: 'processing', statusReason: 'awaiting_transfer' }, 'awaiting_transfer'],
  [{ status: 'processing', lastAttemptFailed: true }, 'processing'],
  [{ status: 'paid', statusReason: 'exact', amountReceived: 8990 }, 'paid'],
  [{ status: 'paid', statusReason: 'manual', exception: 'paid_late' }, 'paid'],
  [{ status: 'paid', statusReason: 'overpaid', exception: 'overpaid' }, 'overpaid'],
  [{ status: 'paid', statusReason: 'exact', exception: 'duplicate_payment' }, 'overpaid'],
  [{ status: 'paid', statusReason: 'exact', exception: 'charged_back' }, 'charged_back'],
  [{ status: 'paid', statusReason: 'overpaid', exception: 'charged_back' }, 'charged_back'],
  [{ status: 'paid', statusReason: 'overpaid', exception: 'none' }, 'paid'],
  [{ exception: 'charged_back' }, 'open'],
  [{ status: 'expired', statusReason: 'not_paid', exception: 'charged_back' }, 'expired'],
  [{ status: 'expired', exception: 'charged_back', amountReceived: 600 }, 'paid_late'],
  [{ status: 'failed', statusReason: 'insufficient_funds', lastAttemptFailed: true }, 'failed'],
  [{ status: 'cancelled', statusReason: 'by_payer' }, 'cancelled'],
  [{ status: 'expired', statusReason: 'not_paid' }, 'expired'],
  [{ status: 'expired', statusReason: 'partially_paid', amountReceived: 1 }, 'paid_late'],
  [{ status: 'expired', exception: 'paid_late', amountReceived: 8990 }, 'paid_late'],
  [{ status: 'cancelled', exception: 'paid_late' }, 'paid_late'],
  [{ status: 'failed', exception: 'wrong_currency' }, 'paid_late'],
];

describe(pageStateOf.name, () => {
  it.each(table)('%j is shown as %s', (change, state) => {
    expect(pageStateOf({ ...facts, ...change })).toBe(state);
  });
});

const order: PageOrder = {
  ...facts,
  orderMerchantId: 'A-1',
  txid: '019aa2f0-7c00-7000-8000-0123456789ab',
  amount: 8990,
  currency: 'EUR',
  description: null,
  returnUrl: null,
  cancelUrl: null,
  expiresAt: new Date('2026-11-20T14:32:00Z'),
  updatedAt: new Date('2026-11-20T14:00:00Z'),
  version: 3,
  payment: null,
  payments: [],
};

describe(refusalOf.name, () => {
  it.each<[PageOrder['payment'], string | null]>([
    [null, null],
    [{ status: 'pending', errorCode: null }, null],
    [{ status: 'succeeded', errorCode: null }, null],
    [{ status: 'failed', errorCode: 'insufficient_funds' }, 'insufficient_funds'],
    [{ status: 'failed', errorCode: null }, 'declined'],
    [{ status: 'failed', errorCode: 'match_undone' }, null],
    [{ status: 'cancelled', errorCode: null }, 'cancelled_by_payer'],
  ])('of the payment %j is %s', (payment, refusal) => {
    expect(refusalOf({ payment })).toBe(refusal);
  });
});

describe(transferOf.name, () => {
  const transfer = { holder: 'A', account: 'B', bic: null, bankName: null, reference: 'C' };
  const waits = { status: 'processing', statusReason: 'awaiting_transfer' } as const;
  const hasPart = { exception: 'underpaid', amountReceived: 1 } as const;

  it.each<[string, Partial<PageOrder>, PageOrder['payments'], boolean]>([
    ['waits for it', waits, [{ status: 'pending', transfer }], true],
    ['has a part of it', hasPart, [{ status: 'succeeded', transfer }], true],
    [
      'has a part of it, and another attempt failed',
      hasPart,
      [
        { status: 'succeeded', transfer },
        { status: 'failed', transfer: null },
      ],
      true,
    ],
    ['gave it up', {}, [{ status: 'cancelled', transfer }], false],
    [
      'gave it up, and has a part from elsewhere',
      hasPart,
      [
        { status: 'cancelled', transfer },
        { status: 'succeeded', transfer: null },
      ],
      false,
    ],
    ['was paid by it', { status: 'paid' }, [{ status: 'succeeded', transfer }], false],
    [
      'waits for a provider',
      { status: 'processing' },
      [{ status: 'pending', transfer: null }],
      false,
    ],
  ])('of an order that %s', (_, change, payments, isShown) => {
    expect(transferOf({ ...order, ...change, payments })).toBe(isShown ? transfer : null);
  });

  it('is the newest of several', () => {
    const payments = [
      { status: 'succeeded', transfer },
      { status: 'pending', transfer: { ...transfer, account: 'D' } },
    ] as const;
    expect(transferOf({ ...order, ...waits, payments })?.account).toBe('D');
  });
});

describe(fingerprintOf.name, () => {
  it('names the state and the version', () => {
    expect(fingerprintOf(order)).toBe('open.3');
    expect(fingerprintOf({ ...order, payment: { status: 'failed', errorCode: 'x' } })).toBe(
      'declined.3',
    );
  });
});
