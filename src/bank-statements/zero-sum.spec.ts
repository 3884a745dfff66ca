import { describe, expect, it } from '@jest/globals';
import { mayCancelOut } from './zero-sum.js';

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

  it('cancel out for all that is known when there are too many of them', () => {
    const many = Array.from({ length: 300_000 }, (_, at) => BigInt(2 * at + 2));
    expect(mayCancelOut([...many, -1n])).toBe(true);
    expect(mayCancelOut(many)).toBe(false);
  });
});
