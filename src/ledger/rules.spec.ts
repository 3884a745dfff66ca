import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acceptanceOf, type Arrival, bookingsOf, refundsOf, RULES, takenBackOf } from './rules.js';

const booked = (arrival: Arrival): string[] =>
  bookingsOf(arrival).map(
    ({ kind, amount }) => `${kind}: ${amount} from ${RULES[kind].debit} to ${RULES[kind].credit}`,
  );

const order = (amount: number, before = 0, fee = 0) => ({ amount, before, fee });

describe('what is booked when money arrives', () => {
  it.each<[what: string, Arrival, string[]]>([
    [
      'all that the order asks for',
      { amount: 1000, completes: order(1000) },
      ['payment: 1000 from clearing to available'],
    ],
    [
      'the same with a fee',
      { amount: 1000, completes: order(1000, 0, 59) },
      ['payment: 1000 from clearing to available', 'fee: 59 from available to fees'],
    ],
    [
      'an order that costs its merchant all of it',
      { amount: 20, completes: order(20, 0, 20) },
      ['payment: 20 from clearing to available', 'fee: 20 from available to fees'],
    ],
    [
      'too much',
      { amount: 1200, completes: order(1000, 0, 59) },
      [
        'payment: 1000 from clearing to available',
        'fee: 59 from available to fees',
        'unallocated: 200 from clearing to unallocated',
      ],
    ],
    [
      'a part, or what comes late, twice, or in another currency',
      { amount: 400, completes: null },
      ['unallocated: 400 from clearing to unallocated'],
    ],
    [
      'the rest after a part',
      { amount: 600, completes: order(1000, 400) },
      ['payment: 600 from clearing to available', 'allocation: 400 from unallocated to available'],
    ],
    [
      'more than the rest, with a fee of the whole order',
      { amount: 650, completes: order(1000, 400, 30) },
      [
        'payment: 600 from clearing to available',
        'allocation: 400 from unallocated to available',
        'fee: 30 from available to fees',
        'unallocated: 50 from clearing to unallocated',
      ],
    ],
  ])('%s', (_, arrival, expected) => {
    expect(booked(arrival)).toEqual(expected);
  });

  const minor = fc.integer({ min: 1, max: 99_999_999_999 });
  const completing = fc
    .tuple(minor, fc.nat(), fc.nat(), fc.nat(5_000))
    .map(([amount, part, cost, over]) => {
      const before = part % amount;
      const completes = order(amount, before, cost % (amount + 1));
      return { amount: amount - before + over, completes };
    });

  it('is what came, less nothing, and leaves the merchant the order’s amount less the fee', () => {
    fc.assert(
      fc.property(completing, (arrival) => {
        const accounts: Record<string, number> = {};
        for (const { kind, amount } of bookingsOf(arrival)) {
          expect(amount).toBeGreaterThan(0);
          accounts[RULES[kind].debit] = (accounts[RULES[kind].debit] ?? 0) - amount;
          accounts[RULES[kind].credit] = (accounts[RULES[kind].credit] ?? 0) + amount;
        }
        const { amount, before, fee } = arrival.completes;
        expect(accounts['clearing']).toBe(-arrival.amount);
        expect(accounts['available']).toBe(amount - fee);
        expect(accounts['fees'] ?? 0).toBe(fee);
        expect(accounts['unallocated'] ?? 0).toBe(arrival.amount - amount);
        expect(before).toBeLessThan(amount);
      }),
    );
  });
});

describe('what is booked when late money is accepted', () => {
  const allocated = (amount: number) => ({ kind: 'allocation', amount });
  const fee = (amount: number) => ({ kind: 'fee', amount });

  it.each<[what: string, number, number, number[], object[][]]>([
    ['all of it', 1000, 30, [1000], [[allocated(1000), fee(30)]]],
    ['without a fee', 1000, 0, [1000], [[allocated(1000)]]],
    ['less than was asked for', 400, 18, [400], [[allocated(400), fee(18)]]],
    ['more than was asked for', 1000, 30, [1250], [[allocated(1000), fee(30)]]],
    ['two parts', 1000, 30, [300, 700], [[allocated(300)], [allocated(700), fee(30)]]],
    ['the same twice', 1000, 30, [1000, 1000], [[allocated(1000)], [fee(30)]]],
  ])('%s', (_, amount, cost, arrivals, expected) => {
    expect(acceptanceOf({ amount, fee: cost }, arrivals)).toEqual(expected);
  });
});

describe('what is booked when money is taken back', () => {
  it.each<[what: string, amount: number, unallocated: number, expected: string[]]>([
    ['what an order was paid with', 1000, 0, ['charge_back: 1000']],
    ['a part, which no order explains yet', 400, 400, ['unallocated_back: 400']],
    ['one of two payments of an order', 1000, 1200, ['unallocated_back: 1000']],
    [
      'more than is left of what nothing explains',
      700,
      100,
      ['unallocated_back: 100', 'charge_back: 600'],
    ],
    ['what was sent back before', 1000, 0, ['charge_back: 1000']],
    ['more, where corrections took more than came', 1000, -50, ['charge_back: 1000']],
  ])('%s', (_, amount, unallocated, expected) => {
    const bookings = takenBackOf(amount, unallocated);
    expect(bookings.map((each) => `${each.kind}: ${each.amount}`)).toEqual(expected);
    for (const { kind } of bookings) expect(RULES[kind].credit).toBe('clearing');
  });
});

describe('of which payments money is sent back', () => {
  it.each([
    ['the newest first', 500, [400, 300], [200, 300]],
    ['none of which more was taken back than was left', 500, [1000, -500], [500, 0]],
  ])('%s', (_, amount, left, expected) => {
    expect(refundsOf(amount, left)).toEqual(expected);
  });
});
