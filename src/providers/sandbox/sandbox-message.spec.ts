import { describe, expect, it } from '@jest/globals';
import type { SandboxTransaction } from '../../database/sandbox-bank/sandbox-transaction.entity.js';
import {
  sandboxOutcome,
  readSandboxMessage,
  SANDBOX_REFUSED,
  SANDBOX_TURNED_BACK,
} from './sandbox-message.js';

const IDS = {
  merchant: '01a1fd83-7a64-7380-ad25-8859c8a0524e',
  order: '01a1fd83-7a64-7380-ad25-8859c8a0524f',
  payment: '01a1fd83-7a64-7380-ad25-8859c8a05250',
};
/** It comes to the book's own payments. */
const PAID_LATER = {
  outcome: 'paid',
  payerAccountNumber: '4711',
  payerAccountType: 'wallet',
} as const;

const BOOKED = { id: 'm1', ...IDS, result: 'booked', amount: 5, currency: 'EUR' };

const read = (message: unknown) => readSandboxMessage(Buffer.from(JSON.stringify(message)));

describe(readSandboxMessage.name, () => {
  it('translates a booking', () => {
    const payer = { debtorAccount: 'DE89370400440532013000', debtorName: 'Erika' };
    expect(read({ ...BOOKED, ...payer })).toEqual({
      eventId: 'm1',
      merchantId: IDS.merchant,
      txid: IDS.order,
      paymentId: IDS.payment,
      outcome: {
        kind: 'accepted',
        amount: 5,
        currency: 'EUR',
        payer: {
          accountNumber: 'DE89370400440532013000',
          accountType: 'iban',
          accountName: 'Erika',
        },
      },
    });
  });

  it.each([
    ['refused', SANDBOX_REFUSED],
    ['withdrawn', SANDBOX_TURNED_BACK],
    ['in_progress', { kind: 'pending' }],
  ])('translates %s', (result, outcome) => {
    expect(read({ id: 'm1', ...IDS, result })?.outcome).toEqual(outcome);
  });

  it.each([
    ['DE89370400440532013000', 'iban'],
    ['erika@example.com', 'email'],
    ['12-34-56 78901234', 'domestic'],
    [null, null],
    [undefined, null],
    [5, null],
    // What a database would refuse, or cut, counts as not told.
    ['a\0b', null],
    ['a\ud800', null],
    ['1'.repeat(256), null],
  ])('reads the account %j', (debtorAccount, accountType) => {
    expect(read({ ...BOOKED, debtorAccount })?.outcome).toMatchObject({ payer: { accountType } });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a number', 5],
    ['a list', [BOOKED]],
    ['no id', { ...BOOKED, id: undefined }],
    ['an empty id', { ...BOOKED, id: '' }],
    ['an id that is no text', { ...BOOKED, id: 5 }],
    ['an id with NUL', { ...BOOKED, id: 'a\0' }],
    ['half a character as id', { ...BOOKED, id: '\udfff' }],
    ['an id of 256 characters', { ...BOOKED, id: 'i'.repeat(256) }],
    ['no payment', { ...BOOKED, payment: undefined }],
    ['a payment that is no UUID', { ...BOOKED, payment: "1' OR '1'='1" }],
    ['a merchant in a list', { ...BOOKED, merchant: [IDS.merchant] }],
    ['an unknown result', { ...BOOKED, result: 'paid' }],
    ['a result of every object', { ...BOOKED, result: 'constructor' }],
    ['no amount', { ...BOOKED, amount: undefined }],
    ['no money', { ...BOOKED, amount: 0 }],
    ['less than no money', { ...BOOKED, amount: -5 }],
    ['half a cent', { ...BOOKED, amount: 0.5 }],
    ['an amount in a text', { ...BOOKED, amount: '5' }],
    ['an amount past the largest', { ...BOOKED, amount: 100_000_000_000 }],
    ['no currency', { ...BOOKED, currency: undefined }],
    ['no code of a currency', { ...BOOKED, currency: 'eur' }],
    ['a long currency', { ...BOOKED, currency: 'E'.repeat(1000) }],
  ])('does not understand %s', (_, message) => expect(read(message)).toBeNull());

  it.each(['', '{', '{}}', '\0', 'ÿ'])('does not understand the bytes %j', (text) => {
    expect(readSandboxMessage(Buffer.from(text, 'latin1'))).toBeNull();
  });
});

describe(sandboxOutcome.name, () => {
  const now = new Date('2026-01-01T12:00:00Z');
  const line = (changes: Partial<SandboxTransaction>): SandboxTransaction => ({
    merchantId: IDS.merchant,
    paymentId: IDS.payment,
    reference: 'r',
    amount: 5,
    currency: 'EUR',
    payeeName: 'Shop',
    returnUrl: '/',
    outcome: null,
    paidAmount: null,
    paidCurrency: null,
    payerAccountNumber: null,
    payerAccountType: null,
    payerAccountName: null,
    declineCode: null,
    payerDueAt: null,
    dueAt: null,
    repeat: 1,
    createdAt: now,
    ...changes,
  });

  it.each<[string, SandboxTransaction | null, object]>([
    ['nothing', null, { kind: 'unknown' }],
    ['a payer who has not decided', line({}), { kind: 'pending' }],
    ['silence', line({ outcome: 'unknown' }), { kind: 'unknown' }],
    ['a wait', line({ outcome: 'pending' }), { kind: 'pending' }],
    ['a refusal', line({ outcome: 'declined' }), SANDBOX_REFUSED],
    ['a payer who turned back', line({ outcome: 'cancelled' }), SANDBOX_TURNED_BACK],
    [
      'a refusal with a reason',
      line({ outcome: 'declined', declineCode: 'limit_exceeded' }),
      { kind: 'declined', code: 'limit_exceeded' },
    ],
    [
      'money of somebody who is not named yet',
      line({ ...PAID_LATER, payerDueAt: new Date(now.getTime() + 1) }),
      { kind: 'accepted', payer: { accountNumber: null, accountType: null, accountName: null } },
    ],
    [
      'money that is not due yet, of somebody who is named later still',
      line({
        ...PAID_LATER,
        dueAt: new Date(now.getTime() + 1),
        payerDueAt: new Date(now.getTime() + 2),
      }),
      { kind: 'pending' },
    ],
    [
      'money of somebody who is named by now',
      line({ ...PAID_LATER, payerDueAt: now }),
      { kind: 'accepted', payer: { accountNumber: '4711', accountType: 'wallet' } },
    ],
    [
      'money that is not due yet',
      line({ outcome: 'paid', dueAt: new Date(now.getTime() + 1) }),
      { kind: 'pending' },
    ],
    [
      'money that is due',
      line({ outcome: 'paid', dueAt: now }),
      { kind: 'accepted', amount: 5, currency: 'EUR' },
    ],
    [
      'other money than was asked for',
      line({ outcome: 'paid', paidAmount: 4, paidCurrency: 'USD' }),
      { kind: 'accepted', amount: 4, currency: 'USD' },
    ],
  ])('says what the book says: %s', (_, entry, outcome) => {
    expect(sandboxOutcome(entry, now)).toMatchObject(outcome);
  });
});
