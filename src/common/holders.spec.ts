import { describe, expect, it } from '@jest/globals';
import { Holders } from './holders.js';

describe('Holders', () => {
  it('counts each holder alone, and gives back what was taken', () => {
    const holders = new Holders(2);
    const giveBack = holders.take('a');
    expect([holders.has('a'), holders.isFull('a')]).toEqual([true, false]);
    const giveBackToo = holders.take('a');
    expect([holders.isFull('a'), holders.isFull('b')]).toEqual([true, false]);
    giveBack();
    expect([holders.has('a'), holders.isFull('a')]).toEqual([true, false]);
    giveBackToo();
    expect(holders.has('a')).toBe(false);
  });

  it('counts for some holders only a part', () => {
    const holders = new Holders(2);
    const all = Array.from({ length: 8 }, () => holders.take('wide', 1 / 4));
    expect([holders.isFull('wide', 1 / 4), holders.isFull('wide', 0)]).toEqual([true, false]);
    for (const giveBack of all) giveBack();
    expect(holders.has('wide')).toBe(false);
  });
});
