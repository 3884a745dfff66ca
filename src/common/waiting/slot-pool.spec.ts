import { describe, expect, it } from '@jest/globals';
import { SlotPool } from './slot-pool.js';

describe(SlotPool.name, () => {
  it('gives one holder some, and all together no more than there are', () => {
    const pool = new SlotPool({ perHolder: 2, inAll: 3 });
    const left = ['a', 'a', 'a', 'b', 'c', 'd'].map((holder) => pool.enter(holder));
    expect(left.map((leave) => leave !== undefined)).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(pool.size).toBe(3);
  });

  it('keeps half of all for those who have none', () => {
    const pool = new SlotPool({ perHolder: 2, inAll: 6 });
    const enter = (holder: string) => pool.enter(holder) !== undefined;
    expect(['a', 'a', 'b'].map(enter)).toEqual([true, true, true]);
    expect(['b', 'c', 'c', 'd', 'd', 'e'].map(enter)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('takes a place back once', () => {
    const pool = new SlotPool({ perHolder: 1, inAll: 1 });
    const leave = pool.enter('a')!;
    leave();
    pool.enter('b');
    leave();
    expect([pool.size, pool.enter('c')]).toEqual([1, undefined]);
  });
});
