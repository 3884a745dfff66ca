import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

describe('the queue of a bulkhead', () => {
  /** Enters in this order, and notes who was let in, and who was refused. */
  function crowd(bulkhead: Bulkhead, keys: readonly string[]) {
    const entered: string[] = [];
    const refused: string[] = [];
    const releases: (() => void)[] = [];
    const all = keys.map(async (key, i) => {
      const release = await bulkhead.enter(key);
      (release ? entered : refused).push(`${key}${i}`);
      if (release) releases.push(release);
    });
    return { entered, refused, releases, all };
  }

  it('lets in by turns of the keys, and the work of a key in its order', async () => {
    const bulkhead = new Bulkhead({ max: 1, queue: 9 });
    const { entered, releases } = crowd(bulkhead, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (let left = 0; left < 7; left++) {
      await new Promise(setImmediate);
      releases[left]!();
    }
    expect(entered).toEqual(['a0', 'a1', 'b4', 'c5', 'a2', 'b6', 'a3']);
    expect([bulkhead.running, bulkhead.waiting]).toEqual([0, 0]);
  });

  it('runs as many at once as there are slots', async () => {
    const bulkhead = new Bulkhead({ max: 2, queue: 9 });
    const { entered } = crowd(bulkhead, ['a', 'b', 'c']);
    await new Promise(setImmediate);
    expect(entered).toEqual(['a0', 'b1']);
    expect([bulkhead.running, bulkhead.waiting]).toEqual([2, 1]);
  });

  it('is full for the key with most in it, and not for others', async () => {
    const bulkhead = new Bulkhead({ max: 1, queue: 4 });
    const keys = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'b', 'd', 'e'];
    const { refused } = crowd(bulkhead, keys);
    await new Promise(setImmediate);
    expect(refused.toSorted()).toEqual(['a2', 'a3', 'a4', 'a5', 'b8', 'e10']);
    expect(bulkhead.waiting).toBe(4);
  });

  it('passes over a key that has all its slots', async () => {
    const bulkhead = new Bulkhead({ max: 4, perKey: 1, queue: 9 });
    const { entered, releases } = crowd(bulkhead, ['a', 'a', 'b', 'a', 'c']);
    await new Promise(setImmediate);
    expect(entered).toEqual(['a0', 'b2', 'c4']);
    releases[1]!();
    await new Promise(setImmediate);
    expect(entered).toEqual(['a0', 'b2', 'c4']);
    releases[0]!();
    await new Promise(setImmediate);
    expect(entered.at(-1)).toBe('a1');
  });
});

describe('the slots of a bulkhead', () => {
  it('are limited for one key, and in total', () => {
    const bulkhead = new Bulkhead({ max: 3, perKey: 2 });
    const has = (key: string) => bulkhead.tryEnter(key) !== undefined;
    expect(['a', 'a', 'a', 'b', 'c', 'd'].map(has)).toEqual([
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(bulkhead.running).toBe(3);
  });

  it('are half for keys that have none', () => {
    const bulkhead = new Bulkhead({ max: 6, perKey: 2 });
    const has = (key: string) => bulkhead.tryEnter(key) !== undefined;
    expect(['a', 'a', 'b'].map(has)).toEqual([true, true, true]);
    const later = ['b', 'c', 'c', 'd', 'd', 'e'].map(has);
    expect(later).toEqual([false, true, false, true, false, true]);
  });

  it('are released once', () => {
    const bulkhead = new Bulkhead({ max: 1, perKey: 1 });
    const release = bulkhead.tryEnter('a')!;
    release();
    bulkhead.tryEnter('b');
    release();
    expect([bulkhead.running, bulkhead.tryEnter('c')]).toEqual([1, undefined]);
  });
});
