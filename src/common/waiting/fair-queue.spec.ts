import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

describe('FairQueue', () => {
  /** Enters in this order, and notes who was let in, and who was sent away. */
  function crowd(queue: FairQueue, holders: readonly string[]) {
    const [entered, refused]: string[][] = [[], []];
    const decide = (name: string) => (isIn: boolean) =>
      void (isIn ? entered! : refused!).push(name);
    const all = holders.map((holder, i) => queue.enter(holder).then(decide(`${holder}${i}`)));
    return { entered: entered!, refused: refused!, all };
  }

  it('lets in by turns of the holders, and each holder’s own in their order', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 9 });
    const { entered, all } = crowd(queue, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (let left = 0; left < 7; left++) {
      await Promise.resolve();
      queue.leave();
    }
    await Promise.all(all);
    expect(entered).toEqual(['a0', 'a1', 'b4', 'c5', 'a2', 'b6', 'a3']);
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
  });

  it('runs as many at once as there are places', async () => {
    const queue = new FairQueue({ atOnce: 2, waiting: 9 });
    const { entered } = crowd(queue, ['a', 'b', 'c']);
    await new Promise(setImmediate);
    expect(entered).toEqual(['a0', 'b1']);
    expect([queue.running, queue.waiting]).toEqual([2, 1]);
  });

  it('is full for whoever has most in it, and not for others', async () => {
    const queue = new FairQueue({ atOnce: 1, waiting: 4 });
    const { refused } = crowd(queue, ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'b', 'd', 'e']);
    await new Promise(setImmediate);
    expect(refused.toSorted()).toEqual(['a2', 'a3', 'a4', 'a5', 'b8', 'e10']);
    expect(queue.waiting).toBe(4);
  });
});
