import { describe, expect, it } from '@jest/globals';
import type { Order } from '../database/orders/order.entity.js';
import type { OrderPast } from '../database/orders/order-past.repository.js';
import { type Payment, PAYMENTS_MAX } from '../database/payments/payment.entity.js';
import { type Undoing, type Undone, withoutMatch } from './undo.js';

const now = new Date('2026-01-01T12:00:00Z');
const at = (hour: number): Date => new Date(Date.UTC(2026, 0, 1, hour));

const order = {
  status: 'paid',
  statusReason: 'exact',
  exception: 'none',
  amount: 1_000,
  amountReceived: 1_000,
  amountChargedBack: 0,
  amountRefunded: 0,
  paymentId: 'wrong',
  expiresAt: at(13),
} as Order;

const succeeded = (id: string, amountReceived: number, hour: number): Payment =>
  ({ id, status: 'succeeded', amountReceived, completedAt: at(hour) }) as Payment;
const pending = (provider: string): Payment =>
  ({ id: 'live', status: 'pending', provider }) as Payment;

const past = (changes: Partial<OrderPast> = {}): OrderPast => ({
  status: 'open',
  statusReason: null,
  lastWait: null,
  isTransferTold: false,
  ...changes,
});

const TOLD = past({
  status: 'processing',
  statusReason: 'awaiting_transfer',
  lastWait: 'awaiting_transfer',
  isTransferTold: true,
});

const part = succeeded('part', 300, 9);
const NOT_PAID = { fee: null, isUndo: true, amountReceived: 0, exception: 'none' } as const;

describe(withoutMatch.name, () => {
  it.each<[string, Partial<Omit<Undoing, 'order'>> & { order?: Partial<Order> }, Partial<Undone>]>([
    ['was open', {}, { change: { ...NOT_PAID, to: 'open', reason: null, paymentId: 'wrong' } }],
    [
      'awaited a transfer',
      { past: TOLD },
      {
        change: {
          ...NOT_PAID,
          to: 'processing',
          reason: 'awaiting_transfer',
          paymentId: 'wrong',
        },
        awaitsTransfer: true,
      },
    ],
    [
      'awaited a transfer whose day is forgotten',
      { past: { ...TOLD, isTransferTold: false } },
      { change: { ...NOT_PAID, to: 'open', reason: null, paymentId: 'wrong' } },
    ],
    [
      'has a payment under way',
      { others: [pending('sandbox')] },
      {
        change: { ...NOT_PAID, to: 'processing', reason: 'awaiting_provider', paymentId: 'live' },
      },
    ],
    [
      'has no time left',
      { past: TOLD, order: { expiresAt: now } },
      { change: { ...NOT_PAID, to: 'expired', reason: 'not_paid', paymentId: 'wrong' } },
    ],
    [
      'has a part and no time left',
      { others: [part], amountReceived: 300, order: { expiresAt: now } },
      {
        change: {
          ...NOT_PAID,
          to: 'expired',
          reason: 'partially_paid',
          exception: 'underpaid',
          amountReceived: 300,
          paymentId: 'part',
        },
      },
    ],
    [
      'has a part, with which the wrong money came to the price',
      { others: [{ ...part, completesOrder: true }], amountReceived: 300, past: TOLD },
      {
        change: {
          ...NOT_PAID,
          to: 'open',
          reason: null,
          exception: 'underpaid',
          amountReceived: 300,
          paymentId: 'part',
        },
        isPart: { ...part, completesOrder: true },
      },
    ],
    [
      'had as many payments as an order can have',
      { others: Array.from({ length: PAYMENTS_MAX - 1 }, () => ({ status: 'failed' }) as Payment) },
      { change: { ...NOT_PAID, to: 'expired', reason: 'not_paid', paymentId: 'wrong' } },
    ],
    [
      'had ended before its money was accepted',
      { past: past({ status: 'cancelled', statusReason: 'by_payer' }) },
      { change: { ...NOT_PAID, to: 'cancelled', reason: 'by_payer' } },
    ],
    [
      'had ended with a part, and has another one',
      {
        past: past({ status: 'expired', statusReason: 'partially_paid' }),
        others: [part],
        amountReceived: 300,
      },
      {
        change: {
          ...NOT_PAID,
          to: 'expired',
          reason: 'partially_paid',
          exception: 'paid_late',
          amountReceived: 300,
        },
      },
    ],
    [
      'keeps money in another currency',
      { order: { exception: 'wrong_currency' } },
      {
        change: {
          ...NOT_PAID,
          to: 'open',
          reason: null,
          exception: 'wrong_currency',
          paymentId: 'wrong',
        },
      },
    ],
  ])('of an order that %s', (_, { order: changes = {}, ...undoing }, expected) => {
    const whole = { others: [], returns: [], amountReceived: 0, owed: 1_000, past: past() };
    const undone = withoutMatch({ ...whole, ...undoing, order: { ...order, ...changes } }, now);
    expect(undone).toEqual(expected);
  });

  it.each<[string, Payment[], Partial<Undoing>, object, string | undefined]>([
    [
      'by a second payment',
      [succeeded('second', 1_000, 10)],
      { amountReceived: 1_000 },
      { reason: 'exact', exception: 'none', paymentId: 'second', paidAt: at(10) },
      'second',
    ],
    [
      'by parts that came to more',
      [succeeded('late', 900, 11), succeeded('part', 300, 9)],
      { amountReceived: 1_200 },
      { reason: 'overpaid', exception: 'overpaid', paymentId: 'late', paidAt: at(11) },
      'late',
    ],
    [
      'by what paid it anyway',
      [{ ...succeeded('first', 1_000, 9), completesOrder: true }],
      { amountReceived: 1_000 },
      { reason: 'exact', exception: 'none' },
      undefined,
    ],
    [
      'by what the bank took back since',
      [succeeded('second', 1_000, 10)],
      { returns: [{ amount: 1_000, createdAt: at(11) }], owed: 1_000 },
      { reason: 'exact', exception: 'charged_back', paymentId: 'second', paidAt: at(10) },
      'second',
    ],
  ])('stays paid %s', (_, others, undoing, change, completes) => {
    const whole = { order, others, returns: [], amountReceived: 0, owed: 0, past: past() };
    const undone = withoutMatch({ ...whole, ...undoing }, now);
    expect(undone.change).toMatchObject({ to: 'paid', ...change });
    expect(undone.change.isUndo).toBeUndefined();
    expect(undone.completes?.id).toBe(completes);
  });

  it('does not stay paid by parts of which one had gone back before the other came', () => {
    const others = [succeeded('first', 400, 8), succeeded('second', 600, 11)];
    const returns = [{ amount: 400, createdAt: at(9) }];
    const amountReceived = 600;
    const undoing = { order, others, returns, amountReceived, owed: 400, past: past() };
    expect(withoutMatch(undoing, now).change).toMatchObject({ to: 'open', exception: 'underpaid' });
  });

  it.each<[string, Partial<Order>, Partial<Undoing>, object]>([
    [
      'open, of whose money only that came',
      { status: 'open', exception: 'underpaid' },
      { past: TOLD },
      { to: 'processing', reason: 'awaiting_transfer', exception: 'none' },
    ],
    [
      'open, of which the bank has taken back something',
      { status: 'open', exception: 'underpaid', amountChargedBack: 5 },
      {},
      { to: 'open', exception: 'charged_back' },
    ],
    [
      'processed, with a part',
      { status: 'processing', statusReason: 'awaiting_provider', exception: 'underpaid' },
      { amountReceived: 5, past: past({ lastWait: 'awaiting_provider' }) },
      { to: 'processing', reason: 'awaiting_provider', exception: 'underpaid' },
    ],
    [
      'expired with that part alone',
      { status: 'expired', statusReason: 'partially_paid', exception: 'underpaid' },
      {},
      { to: 'expired', reason: 'not_paid', exception: 'none' },
    ],
    [
      'expired, then paid late in parts',
      { status: 'expired', statusReason: 'not_paid', exception: 'paid_late' },
      { amountReceived: 5 },
      { to: 'expired', reason: 'not_paid', exception: 'paid_late' },
    ],
  ])('of an order that is %s', (_, changes, undoing, change) => {
    const unpaid = { ...order, statusReason: null, ...changes };
    const whole = { others: [], returns: [], amountReceived: 0, owed: 0, past: past() };
    const undone = withoutMatch({ ...whole, ...undoing, order: unpaid }, now);
    expect(undone.change).toMatchObject(change);
    expect(undone.change).not.toHaveProperty('fee');
  });
});
