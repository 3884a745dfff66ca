import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TtlCache } from './ttl-cache.js';

describe('TtlCache', () => {
  let now: number;
  let looks: PromiseWithResolvers<number>[];
  let kept: TtlCache<number>;
  let asked: Promise<number>[];

  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    looks = [];
    asked = [];
    kept = new TtlCache((value) => value * 10, 3);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  function ask(name = 'one'): void {
    const find = () => looks[looks.push(Promise.withResolvers<number>()) - 1]!.promise;
    asked.push(kept.get(name, find));
  }

  it('looks once for all who ask meanwhile, and for those who come while it is kept', async () => {
    ask();
    now = 1_000;
    ask();
    looks[0]!.resolve(5);
    await Promise.all(asked);
    now = 1_049;
    ask();
    expect(await Promise.all(asked)).toEqual([5, 5, 5]);
    now = 1_050;
    ask();
    expect(looks).toHaveLength(2);
  });

  it('keeps nothing whose life is 0', async () => {
    ask();
    looks[0]!.resolve(0);
    await Promise.all(asked);
    ask();
    expect(looks).toHaveLength(2);
  });

  it('tells a fault to whoever looked; who waited for it looks for himself, once', async () => {
    for (let n = 0; n < 3; n++) ask();
    looks[0]!.reject(new Error('sent away'));
    await expect(asked[0]).rejects.toThrow('sent away');
    expect(looks).toHaveLength(3);
    looks[1]!.resolve(5);
    looks[2]!.reject(new Error('away'));
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  });

  it('keeps no more than it may', async () => {
    for (const name of ['one', 'two', 'three', 'four']) ask(name);
    for (const look of looks) look.resolve(5);
    await Promise.all(asked);
    ask();
    expect(looks).toHaveLength(5);
  });
});
