import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fastestOf } from '../../test/support/fastest.js';
import { mayCancelOut } from './zero-sum.js';

function cancelsOut(amounts: readonly bigint[]): boolean {
  for (let chosen = 1; chosen < 2 ** amounts.length; chosen++) {
    const sum = amounts.reduce((all, each, n) => (chosen & (1 << n) ? all + each : all), 0n);
    if (sum === 0n) return true;
  }
  return false;
}

describe('amounts that may be there or not', () => {
  it.each([
    [[], false],
    [[5n], false],
    [[5n, 5n, 7n], false],
    [[-5n, -7n], false],
    [[5n, -5n], true],
    [[5n, 1n, -7n, 3n, 9n], false],
    [[4_000n, 5_999n, 1n, -9_999n], true],
  ])('%j cancel out: %s', (amounts, expected) => {
    expect(mayCancelOut(amounts)).toBe(expected);
  });

  it('are compared in a few milliseconds, however many of them are equal', () => {
    const equal = Array.from({ length: 4_090 }, () => 999n);
    const took = fastestOf(() => {
      expect(mayCancelOut([...equal, -1_000n])).toBe(false);
      expect(mayCancelOut([...equal, -999n * 4_000n])).toBe(true);
      expect(mayCancelOut([...equal, -999n * 4_091n])).toBe(false);
    });
    expect(took).toBeLessThan(250);
  });

  it('are compared in a few milliseconds, however many larger ones there are beside some that have many sums', () => {
    const powers = Array.from({ length: 14 }, (_, at) => 1n << BigInt(at));
    const larger = (by: bigint) => Array.from({ length: 20_000 }, (_, at) => BigInt(at) + by);
    const took = fastestOf(() => {
      expect(mayCancelOut([...powers, ...larger(20_000n), -16_384n])).toBe(false);
      expect(mayCancelOut([...powers, ...larger(100n), -16_384n])).toBe(true);
    });
    expect(took).toBeLessThan(250);
  });

  it('are found as by trying all of them', () => {
    const amounts = fc.array(
      fc.bigInt({ min: -20n, max: 20n }).filter((each) => each !== 0n),
      {
        maxLength: 9,
      },
    );
    fc.assert(fc.property(amounts, (each) => mayCancelOut(each) === cancelsOut(each)));
  });

  it('cancel out for all that is known when there are too many of them', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => BigInt(2 * at + 2));
    expect(mayCancelOut([...many, -9_999_999n])).toBe(true);
    expect(mayCancelOut(many)).toBe(false);
  });
});
