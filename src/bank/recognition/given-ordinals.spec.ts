import { describe, expect, it } from '@jest/globals';
import { ORDINAL_MAX } from '../../database/bank/lines/line-store.repository.js';
import { GivenOrdinals } from './given-ordinals.js';

const lines = (key: string, from: number, to: number, status: 'booked' | 'announced' = 'booked') =>
  Array.from({ length: to - from + 1 }, (_, n) => ({ key, ordinal: from + n, status }));

const given = (...told: ReturnType<typeof lines>[]): GivenOrdinals => {
  const ordinals = new GivenOrdinals();
  for (const some of told) ordinals.add(some);
  return ordinals;
};

describe('ordinals of which a statement has told', () => {
  it('are not read again where they are many', () => {
    expect(given(lines('a', 20, 99), lines('a', 100, 149)).others(['a', 'b'])).toEqual([
      { key: 'a', low: 0, high: 19 },
      { key: 'a', low: 150, high: ORDINAL_MAX },
      { key: 'b', low: 0, high: ORDINAL_MAX },
    ]);
  });

  it('leave those between them to be read, which another import has given', () => {
    expect(given(lines('a', 40, 60), lines('a', 62, 90)).others(['a'])).toEqual([
      { key: 'a', low: 0, high: 39 },
      { key: 'a', low: 61, high: 61 },
      { key: 'a', low: 91, high: ORDINAL_MAX },
    ]);
  });

  it('grow together in whatever order they come, and come twice', () => {
    const ordinals = new GivenOrdinals();
    const backwards = lines('a', 0, 60).toReversed();
    const odd = backwards.filter(({ ordinal }) => ordinal % 2);
    for (const line of [...odd, ...backwards]) ordinals.add([line]);
    expect(ordinals.others(['a'])).toEqual([{ key: 'a', low: 61, high: ORDINAL_MAX }]);
  });

  it('are read again where a booking may still move to another day, or is one of few', () => {
    const all = [{ key: 'a', low: 0, high: ORDINAL_MAX }];
    expect(given(lines('a', 30, 50, 'announced')).others(['a'])).toEqual(all);
    expect(given(lines('a', 0, 19)).others(['a'])).toEqual(all);
  });
});
