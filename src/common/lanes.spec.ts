import { describe, expect, it } from '@jest/globals';
import { Lanes } from './lanes.js';

describe(Lanes.name, () => {
  it('gives one holder some, and all together no more than there are', () => {
    const lanes = new Lanes({ perHolder: 2, inAll: 3 });
    const left = ['a', 'a', 'a', 'b', 'b', 'c'].map((holder) => lanes.enter(holder));
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

  it('takes a place back once', () => {
    const lanes = new Lanes({ perHolder: 1, inAll: 1 });
    const leave = lanes.enter('a')!;
    leave();
    lanes.enter('b');
    leave();
    expect([lanes.size, lanes.enter('c')]).toEqual([1, undefined]);
  });
});
