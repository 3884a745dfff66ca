import { describe, expect, it } from '@jest/globals';
import type { PageInput, PageOrder } from './page.model.js';
import { describePage } from './page-slots.js';

const now = new Date('2026-11-20T13:00:00Z');

const order: PageOrder = {
  orderMerchantId: 'INV-20417',
  txid: '019aa2f0-7c00-7000-8000-0123456789ab',
  status: 'open',
  statusReason: null,
  exception: 'none',
  amount: 8990,
  amountReceived: 0,
  currency: 'EUR',
  description: null,
  returnUrl: null,
  cancelUrl: null,
  expiresAt: new Date('2026-11-20T14:32:00Z'),
  updatedAt: now,
  version: 1,
  payment: null,
};

function pageOf(change: Partial<PageOrder>, input: Partial<PageInput> = {}) {
  return describePage({
    order: { ...order, ...change },
    cancelable: true,
    token: 'tok',
    theme: { name: 'Nordlicht', colour: '0b4f9e', logoUrl: null, contactUrl: null },
    methods: [],
    mode: 'test',
    locale: 'en',
    stays: false,
    now,
    ...input,
  });
}

describe(describePage.name, () => {
  it('leaves out what the order does not have', () => {
    expect(pageOf({}).slots).toEqual({
      token: 'tok',
      fingerprint: 'open.1',
      amount: '€89.90',
      orderMerchantId: 'INV-20417',
      serverNow: '2026-11-20T13:00:00.000Z',
      deadline: '14:32 UTC',
      expiresAt: '2026-11-20T14:32:00.000Z',
    });
  });

  it('tells what came and what is still due', () => {
    const { key, slots } = pageOf({ amountReceived: 5000, exception: 'underpaid' });
    expect(key.state).toBe('underpaid');
    expect(slots).toMatchObject({ amountReceived: '€50.00', amountDue: '€39.90' });
  });

  it('shows no clock while the outcome is unknown or when the order ended', () => {
    const unknown = pageOf({ status: 'processing', statusReason: 'outcome_unknown' });
    expect(unknown.slots.deadline).toBeUndefined();
    expect(pageOf({ status: 'expired' }).slots.deadline).toBeUndefined();
  });

  it('says why a payment failed, in the language of the page, only when it failed', () => {
    const payment = { status: 'failed', errorCode: 'timeout' } as const;
    expect(pageOf({ payment }, { locale: 'de' }).slots.declineReason).toMatch(/Die Bank hat/);
    const paid = pageOf({ payment, status: 'paid', amountReceived: 8990 });
    expect(paid.slots.declineReason).toBeUndefined();
  });

  it('keeps everything of the order out of the key', () => {
    const one = pageOf({
      description: 'A',
      orderMerchantId: 'A',
      amount: 1,
      returnUrl: 'https://a.example',
    });
    const other = pageOf({}, { token: 'other', now: new Date(0) });
    expect(one.key).toEqual(other.key);
  });
});
