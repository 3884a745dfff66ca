import { describe, expect, it } from '@jest/globals';
import type { Order } from '../database/orders/order.entity.js';
import { type OrderChange, planChange } from './order-change.js';

const now = new Date('2026-01-01T12:00:00Z');

const plan = (order: Partial<Order>, change: OrderChange) =>
  planChange(
    {
      status: 'open',
      statusReason: null,
      exception: 'none',
      amountReceived: 0,
      paidAt: null,
      holdsMerchantId: true,
      ...order,
    } as Order,
    change,
    now,
  );

const typesOf = (order: Partial<Order>, change: OrderChange) =>
  plan(order, change)?.events.map(({ type }) => type);

const processing = { status: 'processing', statusReason: 'awaiting_provider' } as const;

describe(planChange.name, () => {
  it.each<[string, Partial<Order>, OrderChange, string[]]>([
    ['a start', {}, { to: 'processing', reason: 'awaiting_provider' }, ['order.processing']],
    [
      'the payer, known later',
      { status: 'paid', statusReason: 'exact' },
      { to: 'paid', reason: 'exact', updated: { paymentId: 'p' } },
      ['payment.updated'],
    ],
    [
      'another reason',
      processing,
      { to: 'processing', reason: 'outcome_unknown' },
      ['order.processing'],
    ],
    ['the money', processing, { to: 'paid', reason: 'exact', amountReceived: 5 }, ['order.paid']],
    [
      'too much money',
      processing,
      { to: 'paid', reason: 'overpaid', exception: 'overpaid', amountReceived: 5 },
      ['order.paid', 'order.exception'],
    ],
    [
      'a part',
      processing,
      { to: 'open', reason: null, exception: 'underpaid', amountReceived: 5 },
      ['order.exception'],
    ],
    [
      'one more part',
      { ...processing, exception: 'underpaid', amountReceived: 5 },
      { to: 'open', reason: null, exception: 'underpaid', amountReceived: 6 },
      ['order.exception'],
    ],
    [
      'a refusal',
      processing,
      { to: 'open', reason: null, failed: { paymentId: 'p', code: 'declined' } },
      ['payment.failed'],
    ],
    [
      'the last refusal',
      processing,
      { to: 'failed', reason: 'declined', failed: { paymentId: 'p', code: 'declined' } },
      ['payment.failed', 'order.failed'],
    ],
    ['a cancellation', {}, { to: 'cancelled', reason: 'by_payer' }, ['order.cancelled']],
    ['an expiry', {}, { to: 'expired', reason: 'not_paid' }, ['order.expired']],
    [
      'late money',
      { status: 'expired', statusReason: 'not_paid' },
      { to: 'expired', reason: 'not_paid', exception: 'paid_late', amountReceived: 5 },
      ['order.exception'],
    ],
  ])('tells %s', (_, order, change, types) => {
    expect(typesOf(order, change)).toEqual(types);
  });

  it('writes nothing when nothing is different', () => {
    expect(plan(processing, { to: 'processing', reason: 'awaiting_provider' })).toBeNull();
    expect(plan({}, { to: 'open', reason: null, exception: 'none' })).toBeNull();
  });

  it('never moves an order in silence', () => {
    expect(() => plan(processing, { to: 'open', reason: null })).toThrow('without an event');
  });

  it('refuses what the table does not allow', () => {
    const change = { to: 'cancelled', reason: 'by_merchant' } as const;
    expect(() => plan({ status: 'paid', statusReason: 'exact' }, change)).toThrow('from paid');
  });

  it.each<[OrderChange['to'], string | null, string[]]>([
    ['open', null, ['order.reopened']],
    ['processing', 'awaiting_transfer', ['order.reopened']],
    ['expired', 'not_paid', ['order.expired']],
    ['cancelled', 'by_payer', ['order.cancelled']],
    ['failed', 'declined', ['order.failed']],
  ])('takes a paid order to %s only where a match is undone', (to, reason, types) => {
    const paid = { status: 'paid', statusReason: 'exact', paidAt: now, fee: 5 } as const;
    expect(() => plan(paid, { to, reason, fee: null })).toThrow('from paid');
    const change = { to, reason, fee: null, amountReceived: 0, isUndo: true } as const;
    expect(typesOf(paid, change)).toEqual(types);
    expect(plan(paid, change)?.patch).toMatchObject({ paidAt: null, fee: null });
    const isOver = !['open', 'processing'].includes(to);
    expect(plan(paid, change)?.patch.holdsMerchantId).toBe(isOver ? false : undefined);
  });

  it('tells of an order that stays paid by other money, and not as paid again', () => {
    const paid = { status: 'paid', statusReason: 'overpaid', exception: 'overpaid' } as const;
    const paidAt = new Date('2026-01-01T11:00:00Z');
    const change = { to: 'paid', reason: 'exact', exception: 'none', paidAt } as const;
    const planned = plan({ ...paid, createdAt: new Date(0) }, { ...change, amountReceived: 5 });
    expect(planned?.events.map(({ type }) => type)).toEqual(['order.exception']);
    expect(planned?.patch).toMatchObject({ statusReason: 'exact', paidAt });
  });

  it('adds up what banks take back', () => {
    const paid = { status: 'paid', statusReason: 'exact', amountChargedBack: 3 } as const;
    const change = { to: 'paid', reason: 'exact', exception: 'charged_back' } as const;
    expect(plan(paid, { ...change, chargedBack: 2 })?.patch.amountChargedBack).toBe(5);
  });

  it('notes when the order was paid, once', () => {
    expect(plan(processing, { to: 'paid', reason: 'exact' })?.patch.paidAt).toEqual(now);
    const again = { to: 'paid', reason: 'exact', exception: 'duplicate_payment' } as const;
    const patch = plan({ status: 'paid', statusReason: 'exact' }, again)?.patch;
    expect(patch).not.toHaveProperty('paidAt');
  });

  it.each<[string, Partial<Order>, OrderChange, boolean]>([
    ['a cancelled order', {}, { to: 'cancelled', reason: 'by_payer' }, true],
    ['an expired order', {}, { to: 'expired', reason: 'not_paid' }, true],
    ['a failed order', processing, { to: 'failed', reason: 'declined' }, true],
    ['a paid order', processing, { to: 'paid', reason: 'exact' }, false],
    [
      'an order that expires with a part of its money',
      { amountReceived: 5 },
      { to: 'expired', reason: 'partially_paid' },
      true,
    ],
    ['a live order', {}, { to: 'processing', reason: 'awaiting_provider' }, false],
  ])('frees the orderMerchantId of %s or keeps it', (_, order, change, freed) => {
    expect(plan(order, change)?.patch.holdsMerchantId).toBe(freed ? false : undefined);
  });

  it('takes the orderMerchantId back for an order that is paid after its end', () => {
    const ended = { status: 'expired', statusReason: 'not_paid', holdsMerchantId: false } as const;
    const change = { to: 'paid', reason: 'manual' } as const;
    expect(plan(ended, change)?.patch.holdsMerchantId).toBe(true);
  });

  it('says in each event where the order came from', () => {
    const change = { to: 'expired', reason: 'not_paid' } as const;
    expect(plan({}, change)?.events[0]?.data).toEqual({
      from: 'open',
      status: 'expired',
      statusReason: 'not_paid',
    });
  });
});
