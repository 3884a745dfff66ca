import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenTransfer } from '../database/ledger/ledger.repository.js';
import { planLines } from './lines.js';

/** `a 1000` is a payment of order a, `a -30` its fee, `a ~-1000` a correction. */
function open(...texts: string[]): OpenTransfer[] {
  return texts.map((text, n) => {
    const [txid, rest] = text.split(' ') as [string, string];
    const amount = Number(rest.replace('~', ''));
    const kind = rest.startsWith('~') ? 'reversal' : amount < 0 ? 'fee' : 'payment';
    return { id: `${n}`, txid, paymentId: txid, kind, amount };
  });
}

/** Lines as `order a 1000`, and the places of the transfers of which nothing is left. */
function plan(transfers: readonly OpenTransfer[], amount: number) {
  const planned = planLines(transfers, amount);
  return (
    planned && {
      lines: planned.lines.map((line) => `${line.kind} ${line.txid} ${line.amount}`),
      covered: planned.covered.map(Number),
    }
  );
}

describe(planLines, () => {
  it.each<[what: string, string[], number, string[], number[]]>([
    ['a whole order', ['a 1000'], 1000, ['order a 1000'], [0]],
    ['a part of an order', ['a 1000'], 300, ['order a 300'], []],
    [
      'the oldest orders whole and the last in part',
      ['a 1000', 'b 500', 'c 200'],
      1200,
      ['order a 1000', 'order b 200'],
      [0],
    ],
    ['an order with its fee', ['a 1000', 'a -30'], 970, ['order a 1000', 'fee a -30'], [0, 1]],
    [
      'a part of an order with the whole fee',
      ['a 1000', 'a -30'],
      500,
      ['fee a -30', 'order a 530'],
      [1],
    ],
    [
      'parts of an order that came in parts',
      ['a 400', 'a 600', 'a -30'],
      500,
      ['fee a -30', 'order a 400', 'order a 130'],
      [2, 0],
    ],
    [
      'what is to be taken off first',
      ['a 1000', 'b -200'],
      700,
      ['fee b -200', 'order a 900'],
      [1],
    ],
    [
      'an order that was taken back, and nothing for it',
      ['a 1000', 'a -30', 'a ~-1000', 'a ~30', 'b 500'],
      500,
      ['order a 1000', 'fee a -30', 'correction a -1000', 'correction a 30', 'order b 500'],
      [0, 1, 2, 3, 4],
    ],
    [
      'the fee that was given back',
      ['a -30', 'a ~30', 'b 1'],
      1,
      ['fee a -30', 'correction a 30', 'order b 1'],
      [0, 1, 2],
    ],
  ])('pays %s', (_, texts, amount, lines, covered) => {
    expect(plan(open(...texts), amount)).toEqual({ lines, covered });
  });

  it('has no plan for more than there is', () => {
    expect(plan(open('a 1000', 'a -30'), 971)).toBeNull();
    expect(plan([], 1)).toBeNull();
  });

  it('knows what payouts pay', () => {
    const odd = { ...open('a 1000')[0]!, kind: 'unallocated' } as const;
    expect(() => planLines([odd], 1000)).toThrow('no payout pays');
  });

  const minor = fc.integer({ min: 1, max: 99_999_999_999 });
  const transfer = fc.record({
    txid: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    kind: fc.constantFrom('payment', 'payment', 'allocation', 'fee', 'reversal'),
    amount: fc.oneof(fc.integer({ min: 1, max: 100 }), minor),
    sign: fc.constantFrom(1, -1),
  });
  const transfers = fc.array(transfer, { maxLength: 30 }).map((all) =>
    all.map(({ txid, kind, amount, sign }, n): OpenTransfer => {
      const isOff = kind === 'fee' || (kind === 'reversal' && sign < 0);
      return { id: `${n}`, txid, paymentId: txid, kind, amount: isOff ? -amount : amount };
    }),
  );
  const totalOf = (all: readonly OpenTransfer[]): number =>
    all.reduce((sum, { amount }) => sum + amount, 0);
  /** What is open, and an amount that it reaches for. */
  const payable = fc
    .tuple(transfers, fc.oneof(minor, fc.nat(100)))
    .filter(([all]) => totalOf(all) > 0)
    .map(([all, n]) => [all, 1 + (n % totalOf(all))] as const);

  it('makes lines that sum to the amount, none of more than there is', () => {
    fc.assert(
      fc.property(payable, ([all, amount]) => {
        const { lines } = planLines(all, amount)!;
        expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount);
        const ids = lines.map(({ transferId }) => transferId);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { transferId, txid, amount: part } of lines) {
          const whole = all.find(({ id }) => id === transferId)!;
          expect(txid).toBe(whole.txid);
          // What is taken off is taken off whole; of what is paid, a part may be.
          if (whole.amount < 0) expect(part).toBe(whole.amount);
          else expect(part > 0 && part <= whole.amount).toBe(true);
        }
      }),
    );
  });

  it('covers what it pays whole, and nothing else', () => {
    fc.assert(
      fc.property(payable, ([all, amount]) => {
        const { lines, covered } = planLines(all, amount)!;
        const paid = new Map(lines.map((line) => [line.transferId, line.amount]));
        const whole = all.filter((one) => paid.get(one.id) === one.amount).map(({ id }) => id);
        expect(covered.toSorted()).toEqual(whole.toSorted());
      }),
    );
  });

  it('covers everything when everything is paid', () => {
    fc.assert(
      fc.property(payable, ([all]) => {
        expect(planLines(all, totalOf(all))!.covered).toHaveLength(all.length);
      }),
    );
  });

  it('pays everything in the end, in however many payouts, and each amount once', () => {
    fc.assert(
      fc.property(payable, fc.array(minor, { maxLength: 5 }), ([all], wishes) => {
        let left: readonly OpenTransfer[] = all;
        for (const wish of [...wishes, Infinity]) {
          const total = totalOf(left);
          if (total === 0) break;
          const { lines, covered } = planLines(left, Math.min(wish, total))!;
          const paid = new Map(lines.map((line) => [line.transferId, line.amount]));
          left = left
            .filter(({ id }) => !covered.includes(id))
            .map((one) => ({ ...one, amount: one.amount - (paid.get(one.id) ?? 0) }));
        }
        expect(left).toEqual([]);
      }),
    );
  });
});
