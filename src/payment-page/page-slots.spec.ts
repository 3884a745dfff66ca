import { describe, expect, it } from '@jest/globals';
import { creditorReference } from '../common/money/creditor-reference.js';
import type { PageInput, PageOrder, PayMethod } from './page.model.js';
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
  payments: [],
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
    processingUntil: null,
    lookedAt: null,
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
      due: '8990',
      orderMerchantId: 'INV-20417',
      serverNow: '2026-11-20T13:00:00.000Z',
      deadline: '14:32 UTC',
      expiresAt: '2026-11-20T14:32:00.000Z',
    });
  });

  it('tells until when the bank is asked, while nobody knows the outcome', () => {
    const processingUntil = new Date('2026-11-25T20:21:00Z');
    const askedUntil = (statusReason: string) =>
      pageOf({ status: 'processing', statusReason }, { processingUntil }).slots.askedUntil;
    expect(askedUntil('outcome_unknown')).toBe('November 25 at 20:21 UTC');
    expect(askedUntil('awaiting_provider')).toBeUndefined();
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

  describe('of an order that waits for a transfer', () => {
    const transfer = {
      holder: 'Nordlicht Payments GmbH',
      account: 'DE02120300000000202051',
      bic: null,
      bankName: null,
      reference: creditorReference('0123456789012345'),
    };
    const payments: PageOrder['payments'] = [{ status: 'pending', transfer }];
    const waits = { status: 'processing', statusReason: 'awaiting_transfer', payments } as const;

    it('has what to type and what to copy, and a day instead of a clock', () => {
      const { slots } = pageOf(waits, { locale: 'de', lookedAt: now });
      expect(slots).toMatchObject({
        holder: 'Nordlicht Payments GmbH',
        iban: 'DE02 1203 0000 0000 2020 51',
        ibanBare: 'DE02120300000000202051',
        reference: expect.stringMatching(/^RF\d\d 0123 4567 8901 2345$/),
        referenceBare: transfer.reference,
        rest: '89,90\u00a0€',
        restBare: '89.90',
        lastDay: '20. November 2026',
        lastDate: '2026-11-20',
        lookedOn: '20. November 2026',
      });
      expect(slots).not.toHaveProperty('deadline');
      expect(slots).not.toHaveProperty('bic');
      expect(slots).not.toHaveProperty('amountDue');
    });

    it('asks for the rest when a part has come', () => {
      const { slots } = pageOf({ ...waits, amountReceived: 5000, exception: 'underpaid' });
      expect(slots).toMatchObject({ rest: '€39.90', restBare: '39.90', amountReceived: '€50.00' });
      expect(slots.qrPath).not.toBe(pageOf(waits).slots.qrPath);
    });

    it('has no code where none can be, and no groups where there is no IBAN', () => {
      const elsewhere = { ...transfer, account: '12-345678-9' };
      const { slots } = pageOf({
        ...waits,
        payments: [{ status: 'pending', transfer: elsewhere }],
      });
      expect(slots.account).toBe('12-345678-9');
      expect(Object.keys(slots)).not.toEqual(expect.arrayContaining(['iban']));
      expect(slots.qrPath).toBeUndefined();
      expect(pageOf({ ...waits, currency: 'CHF' }).slots.qrPath).toBeUndefined();
    });

    it('offers the other ways to pay', () => {
      const labels = {} as PayMethod['labels'];
      const methods = ['sandbox', 'bank_transfer'].map((id) => ({ id, provider: id, labels }));
      expect(pageOf({}, { methods }).key.methods).toEqual(methods);
      expect(pageOf(waits, { methods }).key.methods).toEqual([methods[0]]);
    });
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
