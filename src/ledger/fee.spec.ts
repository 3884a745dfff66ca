import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AMOUNT_MAX } from '../common/money/money.js';
import { feeOf } from './fee.js';

const MILLION = 1_000_000n;

describe(feeOf, () => {
  it.each([
    ['nothing without a rate', 1000, null, 0],
    ['nothing with a rate of nothing', 1000, { partsPerMillion: 0, fixed: 0 }, 0],
    ['percent and fixed', 1000, { partsPerMillion: 29_000, fixed: 30 }, 59],
    ['half a unit down to 0', 50, { partsPerMillion: 10_000, fixed: 0 }, 0],
    ['one and a half up to 2', 150, { partsPerMillion: 10_000, fixed: 0 }, 2],
    ['two and a half down to 2', 250, { partsPerMillion: 10_000, fixed: 0 }, 2],
    ['a little more than a half up', 251, { partsPerMillion: 10_000, fixed: 0 }, 3],
    ['a little less than a half down', 149, { partsPerMillion: 10_000, fixed: 0 }, 1],
    ['the half of the percentage, not of the sum', 150, { partsPerMillion: 10_000, fixed: 1 }, 3],
    ['all at 100 %', AMOUNT_MAX, { partsPerMillion: 1_000_000, fixed: 0 }, AMOUNT_MAX],
    ['the largest order', AMOUNT_MAX, { partsPerMillion: 29_000, fixed: 0 }, 2_900_000_000],
    ['a half of very much', 99_999_999_998, { partsPerMillion: 250_000, fixed: 0 }, 25_000_000_000],
    // Floating point would take a unit less.
    [
      'more than a half by a hair',
      99_999_483_352,
      { partsPerMillion: 927_679, fixed: 0 },
      92_767_420_717,
    ],
    ['no more than the order', 20, { partsPerMillion: 29_000, fixed: 30 }, 20],
    ['no more than the order, by percent', 3, { partsPerMillion: 1_000_000, fixed: 1 }, 3],
  ])('takes %s', (_, amount, rate, fee) => {
    expect(feeOf(amount, rate)).toBe(fee);
  });

  const amounts = fc.integer({ min: 1, max: AMOUNT_MAX });
  const parts = fc.integer({ min: 0, max: 1_000_000 });

  it('is at most a half away from the exact fee, and even where it is a half', () => {
    fc.assert(
      fc.property(amounts, parts, (amount, partsPerMillion) => {
        const fee = BigInt(feeOf(amount, { partsPerMillion, fixed: 0 }));
        const away = fee * MILLION - BigInt(amount) * BigInt(partsPerMillion);
        const distance = away < 0n ? -away : away;
        expect(distance * 2n <= MILLION).toBe(true);
        if (distance * 2n === MILLION) expect(fee % 2n).toBe(0n);
      }),
    );
  });

  it('is a whole number from nothing to the order’s amount', () => {
    fc.assert(
      fc.property(amounts, parts, fc.nat(AMOUNT_MAX), (amount, partsPerMillion, fixed) => {
        const fee = feeOf(amount, { partsPerMillion, fixed });
        expect(Number.isSafeInteger(fee) && fee >= 0 && fee <= amount).toBe(true);
      }),
    );
  });
});
