import { describe, expect, it } from '@jest/globals';
import {
  FINISHED_STATUSES,
  isFinished,
  ORDER_STATUSES,
  type OrderStatus,
} from '../database/orders/order.entity.js';
import { assertAllowed } from './transitions.js';

const REASONS = [
  null,
  'awaiting_provider',
  'outcome_unknown',
  'exact',
  'overpaid',
  'manual',
  'by_merchant',
  'by_payer',
  'not_paid',
  'partially_paid',
  'insufficient_funds',
];

/** Every move that the interface documents; all others are refused. */
const ALLOWED: readonly (readonly [OrderStatus, OrderStatus, readonly (string | null)[]])[] = [
  ['open', 'processing', ['awaiting_provider', 'outcome_unknown']],
  ['open', 'paid', ['exact', 'overpaid', 'manual']],
  ['open', 'cancelled', ['by_merchant', 'by_payer']],
  ['open', 'expired', ['not_paid', 'partially_paid']],
  ['processing', 'open', [null]],
  ['processing', 'paid', ['exact', 'overpaid', 'manual']],
  // Whatever word a provider has for its refusal.
  ['processing', 'failed', REASONS.filter((reason) => reason !== null)],
  ['processing', 'cancelled', ['by_merchant', 'by_payer']],
  ['processing', 'expired', ['not_paid', 'partially_paid']],
  ['failed', 'paid', ['manual']],
  ['cancelled', 'paid', ['manual']],
  ['expired', 'paid', ['manual']],
];

const MOVES = ORDER_STATUSES.flatMap((from) =>
  ORDER_STATUSES.flatMap((to) => REASONS.map((reason) => [from, to, reason] as const)),
);

/** And those of an order whose match is undone. */
const ALLOWED_TO_UNDO: typeof ALLOWED = [
  ['paid', 'open', [null]],
  ['paid', 'processing', ['awaiting_provider', 'outcome_unknown']],
  ['paid', 'cancelled', ['by_merchant', 'by_payer']],
  ['paid', 'expired', ['not_paid', 'partially_paid']],
  ['paid', 'failed', REASONS.filter((reason) => reason !== null)],
];

const isAllowed = (
  allowed: typeof ALLOWED,
  from: OrderStatus,
  to: OrderStatus,
  reason: string | null,
): boolean => allowed.some(([a, b, reasons]) => a === from && b === to && reasons.includes(reason));

describe(assertAllowed.name, () => {
  it.each(MOVES)('%s → %s (%s)', (from, to, reason) => {
    const move = () => assertAllowed(from, to, reason);
    if (isAllowed(ALLOWED, from, to, reason)) expect(move).not.toThrow();
    else expect(move).toThrow(`from ${from} to ${to} with the reason ${reason}`);
  });

  it.each(MOVES)('%s → %s (%s) where a match is undone', (from, to, reason) => {
    const move = () => assertAllowed(from, to, reason, true);
    const allowed = [...ALLOWED, ...ALLOWED_TO_UNDO];
    if (isAllowed(allowed, from, to, reason)) expect(move).not.toThrow();
    else expect(move).toThrow(`from ${from} to ${to} with the reason ${reason}`);
  });
});

describe(isFinished.name, () => {
  it('is true where nothing more happens by itself', () => {
    expect(FINISHED_STATUSES).toEqual(['paid', 'failed', 'cancelled', 'expired']);
    expect(isFinished('open')).toBe(false);
    expect(isFinished('processing')).toBe(false);
  });
});
