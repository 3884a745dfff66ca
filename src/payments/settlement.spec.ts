import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import type { NewEvent } from '../database/orders/order.repository.js';
import { type Payment, PAYMENT_ATTEMPTS_MAX } from '../database/payments/payment.entity.js';
import { type OrderChange, planChange } from '../status/order-change.js';
import {
  type BroughtBefore,
  expiry,
  type PaymentUpdate,
  settle,
  type Settlement,
} from './settlement.js';

const now = new Date('2026-01-01T12:00:00Z');
const before = new Date('2026-01-01T11:00:00Z');

const order = (changes: Partial<Order> = {}): Order => ({
  merchantId: 'merchant',
  txid: 'txid',
  mode: 'test',
  orderMerchantId: 'INV-1',
  holdsMerchantId: true,
  contentHash: Buffer.alloc(32),
  status: 'processing',
  statusReason: 'awaiting_provider',
  exception: 'none',
  amount: 1000,
  currency: 'EUR',
  amountReceived: 0,
  amountChargedBack: 0,
  amountRefundPending: 0,
  amountRefunded: 0,
  fee: null,
  description: null,
  customerName: null,
  customerEmail: null,
  optionalFields: {},
  pageToken: 'token',
  returnUrl: null,
  cancelUrl: null,
  locale: null,
  attempts: 1,
  paymentId: 'p1',
  version: 2,
  createdAt: before,
  updatedAt: before,
  expiresAt: new Date('2026-01-01T13:00:00Z'),
  paidAt: null,
  originalAmount: null,
  originalExpiresAt: null,
  ...changes,
});

const payment = (changes: Partial<Payment> = {}): Payment => ({
  merchantId: 'merchant',
  id: 'p1',
  txid: 'txid',
  provider: 'sandbox',
  method: 'sandbox',
  status: 'pending',
  amount: 1000,
  currency: 'EUR',
  amountReceived: null,
  receivedCurrency: null,
  completesOrder: false,
  providerReference: null,
  redirectUrl: null,
  errorCode: null,
  errorMessage: null,
  payerAccountNumber: null,
  payerAccountType: null,
  payerAccountName: null,
  transfer: null,
  polls: 0,
  nextPollAt: now,
  createdAt: before,
  completedAt: null,
  ...changes,
});

const accepted = (amount: number, currency = 'EUR'): PaymentUpdate => ({
  kind: 'accepted',
  amount,
  currency,
  payer: { accountNumber: 'DE89', accountType: 'iban', accountName: null },
});
const declined: PaymentUpdate = { kind: 'declined', code: 'no_funds', message: 'No funds.' };
const pending: PaymentUpdate = { kind: 'pending' };
const unknown: PaymentUpdate = { kind: 'unknown' };
const givenUp: PaymentUpdate = { kind: 'given_up' };
const voided = (because: 'by_merchant' | 'by_payer' | 'expired'): PaymentUpdate => ({
  kind: 'voided',
  because,
});

const paid = (reason: 'exact' | 'overpaid', amountReceived: number): OrderChange => ({
  to: 'paid',
  reason,
  exception: reason === 'exact' ? 'none' : 'overpaid',
  amountReceived,
  paymentId: 'p1',
});
const part = (amountReceived: number): OrderChange => ({
  to: 'open',
  reason: null,
  exception: 'underpaid',
  amountReceived,
  paymentId: 'p1',
});

const done: Partial<Payment> = {
  status: 'succeeded',
  amountReceived: 1000,
  receivedCurrency: 'EUR',
  completesOrder: true,
  completedAt: before,
};
const inDollars: Partial<Payment> = {
  status: 'failed',
  errorCode: 'wrong_currency',
  amountReceived: 1000,
  receivedCurrency: 'USD',
  completedAt: before,
};
const refused: Partial<Payment> = { status: 'failed', errorCode: 'declined', completedAt: before };
const failedNow = { paymentId: 'p1', code: 'no_funds' };
const open = { status: 'open', statusReason: null } as const;
const elsewhere = { paymentId: 'p2', attempts: 2 } as const;
const expired = { status: 'expired', statusReason: 'not_paid' } as const;

type Case = readonly [
  what: string,
  order: Partial<Order>,
  payment: Partial<Payment>,
  update: PaymentUpdate,
  change: OrderChange | undefined,
  becomes: Partial<Payment> | undefined,
];

const MONEY: readonly Case[] = [
  ['the exact amount', {}, {}, accepted(1000), paid('exact', 1000), { completesOrder: true }],
  ['too much', {}, {}, accepted(1001), paid('overpaid', 1001), { completesOrder: true }],
  ['too little', {}, {}, accepted(999), part(999), { completesOrder: false }],
  [
    'the rest',
    { amountReceived: 600, exception: 'underpaid' },
    { amount: 400 },
    accepted(400),
    paid('exact', 1000),
    { completesOrder: true, amountReceived: 400 },
  ],
  [
    'more than the rest',
    { amountReceived: 600, exception: 'underpaid' },
    {},
    accepted(401),
    paid('overpaid', 1001),
    { completesOrder: true },
  ],
  [
    'one more part with the last attempt',
    { amountReceived: 600, exception: 'underpaid', attempts: PAYMENT_ATTEMPTS_MAX },
    {},
    accepted(100),
    { ...part(700), to: 'open', reason: null },
    { completesOrder: false },
  ],
  [
    'one more part',
    { amountReceived: 600, exception: 'underpaid' },
    {},
    accepted(100),
    part(700),
    { completesOrder: false },
  ],
  [
    'the amount after all, although it was refused',
    open,
    refused,
    accepted(1000),
    paid('exact', 1000),
    { status: 'succeeded', errorCode: null, errorMessage: null },
  ],
  [
    'the amount from an older payment while another is live',
    elsewhere,
    refused,
    accepted(1000),
    paid('exact', 1000),
    { completesOrder: true },
  ],
  [
    'a part from an older payment while another is live',
    elsewhere,
    refused,
    accepted(10),
    {
      to: 'processing',
      reason: 'awaiting_provider',
      exception: 'underpaid',
      amountReceived: 10,
    },
    { status: 'succeeded', completesOrder: false },
  ],
  ...(['expired', 'cancelled', 'failed'] as const).map((status): Case => [
    `money for an order that is ${status}`,
    { status, statusReason: 'some_reason' },
    {},
    accepted(1000),
    {
      to: status,
      reason: 'some_reason',
      exception: 'paid_late',
      amountReceived: 1000,
      paymentId: 'p1',
    },
    { status: 'succeeded', completesOrder: false },
  ]),
  [
    'money for an order that is paid',
    { status: 'paid', statusReason: 'exact', amountReceived: 1000, paymentId: 'p2' },
    {},
    accepted(1000),
    { to: 'paid', reason: 'exact', exception: 'duplicate_payment', amountReceived: 2000 },
    { status: 'succeeded', completesOrder: false },
  ],
  [
    'another currency',
    {},
    {},
    accepted(1000, 'USD'),
    {
      to: 'open',
      reason: null,
      exception: 'wrong_currency',
      isMoreMoney: true,
      failed: { paymentId: 'p1', code: 'wrong_currency' },
    },
    {
      status: 'failed',
      errorCode: 'wrong_currency',
      amountReceived: 1000,
      receivedCurrency: 'USD',
    },
  ],
  [
    'another currency with the last attempt',
    { attempts: PAYMENT_ATTEMPTS_MAX },
    {},
    accepted(1000, 'USD'),
    {
      to: 'failed',
      reason: 'wrong_currency',
      exception: 'wrong_currency',
      isMoreMoney: true,
      failed: { paymentId: 'p1', code: 'wrong_currency' },
    },
    { status: 'failed' },
  ],
  [
    'another currency for an order that ended',
    expired,
    {},
    accepted(1000, 'USD'),
    {
      to: 'expired',
      reason: 'not_paid',
      exception: 'wrong_currency',
      isMoreMoney: true,
      failed: { paymentId: 'p1', code: 'wrong_currency' },
    },
    { status: 'failed', errorCode: 'wrong_currency' },
  ],
  [
    'another currency from a payment that was refused before',
    open,
    refused,
    accepted(1000, 'USD'),
    { to: 'open', reason: null, exception: 'wrong_currency', isMoreMoney: true },
    { status: 'failed', errorCode: 'wrong_currency' },
  ],
  [
    'another currency, told again',
    { ...open, exception: 'wrong_currency' },
    { ...inDollars, payerAccountNumber: 'DE89', payerAccountType: 'iban' },
    accepted(1000, 'USD'),
    undefined,
    undefined,
  ],
];

const AGAIN: readonly (readonly [
  ...Case,
  contradicts: Settlement['contradicts'],
  more?: number,
])[] = [
  ['a refusal after the money', { status: 'paid' }, done, declined, undefined, undefined, 'less'],
  [
    'more, for a paid order',
    { status: 'paid', statusReason: 'exact', amountReceived: 1000 },
    done,
    accepted(1300),
    { to: 'paid', reason: 'exact', exception: 'overpaid', amountReceived: 1300 },
    { amountReceived: 1300, completesOrder: true, completedAt: before },
    'more',
    300,
  ],
  [
    'the rest, for an order that waits for it',
    { ...open, amountReceived: 400, exception: 'underpaid' },
    { ...done, amountReceived: 400, completesOrder: false },
    accepted(1000),
    paid('exact', 1000),
    { amountReceived: 1000, completesOrder: true, completedAt: before },
    'more',
    600,
  ],
  [
    'more, for an order that has ended',
    { status: 'expired', statusReason: 'partially_paid', amountReceived: 400 },
    { ...done, amountReceived: 400, completesOrder: false },
    accepted(1000),
    {
      to: 'expired',
      reason: 'partially_paid',
      exception: 'paid_late',
      amountReceived: 1000,
      paymentId: 'p1',
    },
    { amountReceived: 1000, completesOrder: false },
    'more',
    600,
  ],
  [
    'less',
    { status: 'paid', statusReason: 'exact', amountReceived: 1000 },
    done,
    accepted(999),
    undefined,
    undefined,
    'less',
  ],
  [
    'another currency, for a paid order',
    { status: 'paid', statusReason: 'exact', amountReceived: 1000 },
    done,
    accepted(1000, 'USD'),
    { to: 'paid', reason: 'exact', exception: 'wrong_currency', isMoreMoney: true },
    undefined,
    'other_currency',
    1000,
  ],
  [
    'more of another currency',
    { ...open, exception: 'wrong_currency' },
    inDollars,
    accepted(1500, 'USD'),
    { to: 'open', reason: null, exception: 'wrong_currency', isMoreMoney: true },
    { status: 'failed', amountReceived: 1500, receivedCurrency: 'USD' },
    'more',
    500,
  ],
  [
    'less of another currency',
    { ...open, exception: 'wrong_currency' },
    inDollars,
    accepted(500, 'USD'),
    undefined,
    undefined,
    'less',
  ],
  [
    'a third currency',
    { ...open, exception: 'wrong_currency' },
    inDollars,
    accepted(700, 'CHF'),
    { to: 'open', reason: null, exception: 'wrong_currency', isMoreMoney: true },
    { status: 'failed', amountReceived: 700, receivedCurrency: 'CHF' },
    'other_currency',
    700,
  ],
  [
    'the right currency after all',
    { ...open, exception: 'wrong_currency' },
    inDollars,
    accepted(1000),
    { ...paid('exact', 1000), exception: 'wrong_currency' },
    { status: 'succeeded', amountReceived: 1000, receivedCurrency: 'EUR', errorCode: null },
    'other_currency',
    1000,
  ],
];

const PAYER: readonly Case[] = [
  [
    'the same again',
    { status: 'paid', statusReason: 'exact' },
    { ...done, payerAccountNumber: 'DE89', payerAccountType: 'iban' },
    accepted(1000),
    undefined,
    undefined,
  ],
  [
    'the account, a day later',
    { status: 'paid', statusReason: 'exact' },
    { ...done, payerAccountName: 'Erika' },
    accepted(1000),
    { to: 'paid', reason: 'exact', updated: { paymentId: 'p1' } },
    { payerAccountNumber: 'DE89', payerAccountType: 'iban' },
  ],
  [
    'another account than before: the first stays',
    { status: 'paid', statusReason: 'exact' },
    { ...done, payerAccountNumber: 'FR76', payerAccountType: 'iban' },
    accepted(1000),
    undefined,
    undefined,
  ],
];

const NO_MONEY: readonly Case[] = [
  [
    'a refusal with attempts left',
    { attempts: PAYMENT_ATTEMPTS_MAX - 1 },
    {},
    declined,
    { to: 'open', reason: null, failed: failedNow },
    { status: 'failed', errorCode: 'no_funds', errorMessage: 'No funds.', nextPollAt: null },
  ],
  [
    'a refusal of the last attempt',
    { attempts: PAYMENT_ATTEMPTS_MAX },
    {},
    declined,
    { to: 'failed', reason: 'no_funds', failed: failedNow },
    { status: 'failed' },
  ],
  [
    'a refusal of the last attempt when a part is there',
    { attempts: PAYMENT_ATTEMPTS_MAX, amountReceived: 1, exception: 'underpaid' },
    {},
    declined,
    { to: 'failed', reason: 'no_funds', failed: failedNow },
    { status: 'failed' },
  ],
  [
    'a refusal of an older payment',
    elsewhere,
    {},
    declined,
    { to: 'processing', reason: 'awaiting_provider', failed: failedNow },
    { status: 'failed' },
  ],
  [
    'a refusal after the order ended',
    expired,
    {},
    declined,
    { to: 'expired', reason: 'not_paid', failed: failedNow },
    { status: 'failed' },
  ],
  ['a second refusal', open, refused, declined, undefined, undefined],
  ['"in progress", as known', {}, {}, pending, undefined, undefined],
  ['no answer', {}, {}, unknown, { to: 'processing', reason: 'outcome_unknown' }, undefined],
  [
    '"in progress" after no answer',
    { statusReason: 'outcome_unknown' },
    {},
    pending,
    { to: 'processing', reason: 'awaiting_provider' },
    undefined,
  ],
  ['no answer about an older payment', elsewhere, {}, unknown, undefined, undefined],
  ['no answer about a refused payment', open, refused, unknown, undefined, undefined],
  ['no answer after the end', expired, {}, unknown, undefined, undefined],
];

const NO_MORE_POLLS = { nextPollAt: null };

const ENDED_BY_US: readonly Case[] = [
  ...(['by_merchant', 'by_payer'] as const).map((because): Case => [
    `a void ${because}`,
    {},
    {},
    voided(because),
    { to: 'cancelled', reason: because },
    { status: 'cancelled', completedAt: now, nextPollAt: null },
  ]),
  [
    'a void at expiry',
    {},
    {},
    voided('expired'),
    { to: 'expired', reason: 'not_paid' },
    { status: 'cancelled' },
  ],
  [
    'a void at expiry when a part is there',
    { amountReceived: 1, exception: 'underpaid' },
    {},
    voided('expired'),
    { to: 'expired', reason: 'partially_paid' },
    { status: 'cancelled' },
  ],
  [
    'a void by the payer when a part is there',
    { amountReceived: 1, exception: 'underpaid' },
    {},
    voided('by_payer'),
    { to: 'cancelled', reason: 'by_payer' },
    { status: 'cancelled' },
  ],
  [
    'a void of an older payment',
    elsewhere,
    {},
    voided('expired'),
    undefined,
    { status: 'cancelled' },
  ],
  [
    'a void of the last attempt when a part is there',
    { attempts: PAYMENT_ATTEMPTS_MAX, amountReceived: 1, exception: 'underpaid' },
    {},
    voided('by_payer'),
    { to: 'cancelled', reason: 'by_payer' },
    { status: 'cancelled' },
  ],
  ['a void after the money', { status: 'paid' }, done, voided('expired'), undefined, undefined],
  [
    'the end of the schedule',
    {},
    {},
    givenUp,
    { to: 'expired', reason: 'not_paid' },
    NO_MORE_POLLS,
  ],
  [
    'the end of the schedule when a part is there',
    { amountReceived: 1 },
    {},
    givenUp,
    { to: 'expired', reason: 'partially_paid' },
    NO_MORE_POLLS,
  ],
  ['the end of an older schedule', elsewhere, {}, givenUp, undefined, NO_MORE_POLLS],
];

const broughtBy = ({ receivedCurrency, amountReceived }: Partial<Payment>): BroughtBefore =>
  receivedCurrency ? { [receivedCurrency]: amountReceived! } : {};

function check([, orderChanges, paymentChanges, update, change, becomes]: readonly [
  ...Case,
  ...unknown[],
]): Settlement {
  const brought = broughtBy(paymentChanges);
  const settlement = settle(order(orderChanges), payment(paymentChanges), update, now, brought);
  expect(settlement.order).toEqual(change);
  if (becomes) expect(settlement.payment).toMatchObject(becomes);
  else expect(settlement.payment).toBeUndefined();
  return settlement;
}

describe(settle.name, () => {
  it.each(MONEY)('knows what to do with %s', (...row) => void check(row));
  it.each(PAYER)('adds what is told about the payer: %s', (...row) => void check(row));
  it.each(NO_MONEY)('knows what it means to hear of %s', (...row) => void check(row));
  it.each(ENDED_BY_US)('knows what it means to hear of %s', (...row) => void check(row));
  it.each(AGAIN)('hears of a payment that has brought money before: %s', (...row) => {
    const { contradicts, money } = check(row);
    expect([contradicts, money?.amount]).toEqual(row.slice(6).concat(undefined).slice(0, 2));
  });

  it('notes who paid, what came and when', () => {
    expect(settle(order(), payment(), accepted(999), now).payment).toEqual({
      status: 'succeeded',
      amountReceived: 999,
      receivedCurrency: 'EUR',
      completesOrder: false,
      errorCode: null,
      errorMessage: null,
      payerAccountNumber: 'DE89',
      payerAccountType: 'iban',
      completedAt: now,
      nextPollAt: null,
    });
  });

  it('calls an account of no known kind unknown, and none when there is no account', () => {
    const payerOf = (accountNumber: string | null) => {
      const payer = { accountNumber, accountType: null, accountName: 'E' };
      const update = { kind: 'accepted', amount: 1, currency: 'EUR', payer } as const;
      return settle(order(), payment(), update, now).payment?.payerAccountType;
    };
    expect(payerOf('12345')).toBe('unknown');
    expect(payerOf(null)).toBeUndefined();
  });
});

describe('money for a paid order that is owed again', () => {
  const owedOf = (amountReceived: number, changes: Partial<Order> = {}) =>
    order({
      status: 'paid',
      statusReason: 'exact',
      exception: 'charged_back',
      amountReceived,
      amountChargedBack: 1_000 - amountReceived,
      paymentId: 'p1',
      ...changes,
    });
  const other = payment({ id: 'p2' });

  it.each<[string, number, number, Order['exception'], number]>([
    ['all that is missing', 0, 1_000, 'none', 1_000],
    ['the part that is missing', 700, 300, 'none', 300],
    ['less', 0, 400, 'charged_back', 400],
    ['more', 700, 350, 'overpaid', 300],
  ])('%s', (_, had, amount, exception, makesUp) => {
    const settled = settle(owedOf(had), other, accepted(amount), now, {}, 1_000 - had);
    expect(settled.order).toEqual({
      to: 'paid',
      reason: 'exact',
      exception,
      amountReceived: had + amount,
    });
    expect(settled).toMatchObject({ makesUp, money: { amount }, payment: { status: 'succeeded' } });
    expect(settled.payment?.completesOrder).toBe(false);
  });

  it('in another currency makes up for nothing, and the price stays owed', () => {
    const settled = settle(owedOf(0), other, accepted(1_000, 'USD'), now, {}, 1_000);
    expect(settled.order).toMatchObject({ to: 'paid', exception: 'charged_back' });
    expect(settled.makesUp).toBeUndefined();
  });

  it('after what was too much had been sent back, is no surplus', () => {
    const refunded = owedOf(1_000, { amountRefunded: 1_000 });
    expect(settle(refunded, other, accepted(1_000), now, {}, 1_000).order?.exception).toBe('none');
  });
});

type Step =
  | { readonly do: 'start' | 'expire' | 'cancel' }
  | { readonly do: 'hear'; readonly of: number; readonly update: PaymentUpdate };

/** An order with its payments in memory, changed as the service changes them in the database. */
class Life {
  order = order({ status: 'open', statusReason: null, attempts: 0, paymentId: null, version: 1 });
  readonly payments: Payment[] = [];
  /** What each of them brought, as the ledger knows. */
  readonly brought: Record<string, number>[] = [];
  readonly events: NewEvent[] = [];

  take(step: Step): void {
    switch (step.do) {
      case 'start':
        return this.start();
      case 'expire':
        return this.order.status === 'open' ? this.change(expiry(this.order)) : undefined;
      case 'cancel':
        return this.order.status === 'open'
          ? this.change({ to: 'cancelled', reason: 'by_merchant' })
          : undefined;
      case 'hear':
        if (this.payments.length > 0) this.hear(step.of % this.payments.length, step.update);
    }
  }

  /** @returns what the update changed */
  hear(index: number, update: PaymentUpdate): Settlement {
    const brought = this.brought[index]!;
    const settlement = settle(this.order, this.payments[index]!, update, now, brought);
    const { amount, currency } = settlement.money ?? { amount: 0, currency: 'EUR' };
    brought[currency] = (brought[currency] ?? 0) + amount;
    Object.assign(this.payments[index]!, settlement.payment);
    if (settlement.order) this.change(settlement.order);
    return settlement;
  }

  private start(): void {
    const { status, attempts, amount, amountReceived } = this.order;
    if (status !== 'open') return;
    const id = `p${this.payments.length + 1}`;
    this.payments.push(payment({ id, amount: amount - amountReceived }));
    this.brought.push({});
    const reason = 'awaiting_provider';
    this.change({ to: 'processing', reason, paymentId: id, attempts: attempts + 1 });
  }

  private change(change: OrderChange): void {
    const plan = planChange(this.order, change, now);
    if (!plan) return;
    this.order = { ...this.order, ...plan.patch, version: this.order.version + plan.events.length };
    this.events.push(...plan.events);
  }
}

const update: fc.Arbitrary<PaymentUpdate> = fc.oneof(
  fc
    .record({
      amount: fc.constantFrom(1, 400, 600, 999, 1000, 1001),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    })
    .map(({ amount, currency }) => accepted(amount, currency)),
  fc.constant(declined),
  fc.constantFrom(pending, unknown, givenUp),
  fc.constantFrom(voided('by_merchant'), voided('by_payer'), voided('expired')),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ do: 'start' }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('hear' as const), of: fc.nat(20), update }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ do: 'expire' }, { do: 'cancel' }) },
);

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

function expectSound({ order: now, payments, brought, events }: Life): void {
  const succeeded = payments.filter(({ status }) => status === 'succeeded');
  const completing = payments.filter(({ completesOrder }) => completesOrder);
  const live = payments.filter(({ status }) => status === 'pending');
  expect(now.amountReceived).toBe(sum(succeeded.map(({ amountReceived }) => amountReceived ?? 0)));
  // Nothing that was told of is lost, and nothing is counted twice.
  for (const [i, { amountReceived, receivedCurrency }] of payments.entries()) {
    if (receivedCurrency) expect(brought[i]![receivedCurrency]).toBe(amountReceived);
  }
  expect(completing).toHaveLength(now.status === 'paid' ? 1 : 0);
  expect(live.length).toBeLessThanOrEqual(1);
  expect(now.version).toBe(events.length + 1);
  expect(now.paidAt !== null).toBe(now.status === 'paid');
  if (now.status === 'processing') expect(live.map(({ id }) => id)).toEqual([now.paymentId]);
  if (now.status === 'open') expect(live).toEqual([]);
  if (now.status === 'paid') expect(now.amountReceived).toBeGreaterThanOrEqual(now.amount);
  expect(now.holdsMerchantId).toBe(!['failed', 'cancelled', 'expired'].includes(now.status));
}

describe('any life of an order', () => {
  it('stays sound, whatever is heard in whatever order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const life = new Life();
        for (const each of steps) {
          const earlier = life.order;
          life.take(each);
          expectSound(life);
          expect(life.order.amountReceived).toBeGreaterThanOrEqual(earlier.amountReceived);
          if (isFinished(earlier.status)) {
            const { status, statusReason, paidAt, holdsMerchantId } = earlier;
            expect(life.order).toMatchObject({ status, statusReason, paidAt, holdsMerchantId });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is not changed by hearing the same twice', () => {
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 20 }),
        fc.nat(9),
        update,
        (steps, of, last) => {
          const life = new Life();
          for (const each of steps) life.take(each);
          if (life.payments.length === 0) return;
          const index = of % life.payments.length;
          life.hear(index, last);
          const { version } = life.order;
          expect(life.hear(index, last).payment).toBeUndefined();
          expect(life.order.version).toBe(version);
        },
      ),
      { numRuns: 500 },
    );
  });
});
