import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fitting, partsOf } from './export-parts.js';

const counted = (...counts: number[]) => counts.map((lines) => ({ lines }));
const countsOf = (all: readonly { readonly lines: number }[]) => all.map(({ lines }) => lines);

describe(fitting, () => {
  it.each<[string, number[], number[]]>([
    ['nothing', [], []],
    ['all that fits', [4, 6], [4, 6]],
    ['what fits, and nothing behind what does not', [4, 7, 1], [4]],
    ['the first, however large', [11, 1], [11]],
  ])('takes %s', (_, all, taken) => {
    expect(countsOf(fitting(counted(...all), 10))).toEqual(taken);
  });
});

describe(partsOf, () => {
  it('loses nothing, keeps the order, and has no part that is too large', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 50 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 40 }), (all, max) => {
        const parts = partsOf(counted(...all), max).map(countsOf);
        expect(parts.flat()).toEqual(all);
        for (const part of parts) {
          const sum = part.reduce((total, lines) => total + lines, 0);
          expect(part.length === 1 || sum <= max).toBe(true);
        }
      }),
    );
  });
});
