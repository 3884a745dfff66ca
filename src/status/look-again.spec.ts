import { describe, expect, it } from '@jest/globals';
import { LOOK_AGAIN_MS, nextLookAt } from './look-again.js';

const MINUTE_MS = 60_000;
const now = new Date('2026-01-01T12:00:00Z');
const after = (minutes: number): Date => new Date(now.getTime() + minutes * MINUTE_MS);
const past = after(-1);

describe(nextLookAt.name, () => {
  it('waits 1 m, 5 m, 15 m, 1 h, 6 h, then a day five times', () => {
    const minutes = LOOK_AGAIN_MS.map((ms) => ms / MINUTE_MS);
    expect(minutes).toEqual([1, 5, 15, 60, 360, 1440, 1440, 1440, 1440, 1440]);
    const looks = minutes.map((_, n) => nextLookAt(n, now, past));
    expect(looks).toEqual(minutes.map(after));
  });

  it('is used up after the last', () => {
    expect(nextLookAt(LOOK_AGAIN_MS.length, now, past)).toBeNull();
  });

  it.each([
    ['the look when it comes first', 0, 30, 1],
    ['the expiry when it comes first', 3, 30, 30],
    ['the expiry when the schedule is used up', LOOK_AGAIN_MS.length, 30, 30],
  ])('takes %s', (_, looks, expiryMinutes, expected) => {
    expect(nextLookAt(looks, now, after(expiryMinutes))).toEqual(after(expected));
  });

  it('does not look at the moment of expiry twice', () => {
    expect(nextLookAt(0, now, now)).toEqual(after(1));
  });
});
