import { describe, expect, it } from '@jest/globals';
import { memoize } from './memoize.js';

describe('remembered', () => {
  it('makes once for each key, and again once too many were asked for', () => {
    const made: number[] = [];
    const find = memoize((key: number) => ({ key: made.push(key) && key }));
    expect(find(0)).toBe(find(0));
    expect(find(1)).toEqual({ key: 1 });
    expect(made).toEqual([0, 1]);
    for (let key = 2; key <= 1_000; key++) find(key);
    find(0);
    expect(made).toHaveLength(1_002);
  });
});
