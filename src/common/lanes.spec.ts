import { describe, expect, it } from '@jest/globals';
import { Lanes } from './lanes.js';

describe(Lanes.name, () => {
  it('gives one holder some, and all together no more than there are', () => {
    const lanes = new Lanes({ perHolder: 2, inAll: 3 });
    const left = ['a', 'a', 'a', 'b', 'c', 'd'].map((holder) => lanes.enter(holder));
    expect(left.map((leave) => leave !== undefined)).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(lanes.size).toBe(3);
  });

  it('keeps half of all for those who have none', () => {
    const lanes = new Lanes({ perHolder: 2, inAll: 6 });
    const enter = (holder: string) => lanes.enter(holder) !== undefined;
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
    const lanes = new Lanes({ perHolder: 1, inAll: 1 });
    const leave = lanes.enter('a')!;
    leave();
    lanes.enter('b');
    leave();
    expect([lanes.size, lanes.enter('c')]).toEqual([1, undefined]);
  });
});
