import { describe, expect, it } from '@jest/globals';
import { at, median } from './statistics.js';

describe('statistics', () => {
  it('find the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([10, 9, 100])).toBe(10);
    expect(median([])).toBeNaN();
  });

  it('find what a part of the values lies below', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => n + 1);
    expect(at(hundred, 0.5)).toBe(51);
    expect(at(hundred, 0.99)).toBe(100);
    expect(at([7], 0.99)).toBe(7);
    expect(at([], 0.5)).toBeNaN();
  });
});
