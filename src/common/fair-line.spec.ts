import { describe, expect, it } from '@jest/globals';
import { FairLine } from './fair-line.js';

describe('FairLine', () => {
  /** Enters in this order, and notes who was let in, and who was sent away. */
  function crowd(line: FairLine, holders: readonly string[]) {
    const [entered, refused]: string[][] = [[], []];
    const tell = (name: string) => (isIn: boolean) => void (isIn ? entered! : refused!).push(name);
    const all = holders.map((holder, i) => line.enter(holder).then(tell(`${holder}${i}`)));
    return { entered: entered!, refused: refused!, all };
  }

  it('lets in by turns of the holders, and each holder’s own in their order', async () => {
    const line = new FairLine({ atOnce: 1, waiting: 9 });
    const { entered, all } = crowd(line, ['a', 'a', 'a', 'a', 'b', 'c', 'b']);
    for (let left = 0; left < 7; left++) {
      await Promise.resolve();
      line.leave();
    }
    await Promise.all(all);
    expect(entered).toEqual(['a0', 'a1', 'b4', 'c5', 'a2', 'b6', 'a3']);
    expect([line.running, line.waiting]).toEqual([0, 0]);
  });

  it('runs as many at once as there are places', async () => {
    const line = new FairLine({ atOnce: 2, waiting: 9 });
    const { entered } = crowd(line, ['a', 'b', 'c']);
    await new Promise(setImmediate);
    expect(entered).toEqual(['a0', 'b1']);
    expect([line.running, line.waiting]).toEqual([2, 1]);
  });

  it('is full for whoever has most in it, and not for others', async () => {
    const line = new FairLine({ atOnce: 1, waiting: 4 });
    const { refused } = crowd(line, ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c', 'b', 'd', 'e']);
    await new Promise(setImmediate);
    expect(refused.toSorted()).toEqual(['a2', 'a3', 'a4', 'a5', 'b8', 'e10']);
    expect(line.waiting).toBe(4);
  });
});
