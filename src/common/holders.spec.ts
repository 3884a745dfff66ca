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
});
