import { describe, expect, it } from '@jest/globals';
import { HolderCounts } from './holder-counts.js';

describe('Holders', () => {
  it('counts each holder alone, and gives back what was taken', () => {
    const counts = new HolderCounts(2);
    const giveBack = counts.take('a');
    expect([counts.has('a'), counts.isFull('a')]).toEqual([true, false]);
    const giveBackToo = counts.take('a');
    expect([counts.isFull('a'), counts.isFull('b')]).toEqual([true, false]);
    giveBack();
    expect([counts.has('a'), counts.isFull('a')]).toEqual([true, false]);
    giveBackToo();
    expect(counts.has('a')).toBe(false);
  });

  it('counts for some holders only a part', () => {
    const counts = new HolderCounts(2);
    const all = Array.from({ length: 8 }, () => counts.take('wide', 1 / 4));
    expect([counts.isFull('wide', 1 / 4), counts.isFull('wide', 0)]).toEqual([true, false]);
    for (const giveBack of all) giveBack();
    expect(counts.has('wide')).toBe(false);
  });
});
