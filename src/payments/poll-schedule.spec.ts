import { describe, expect, it } from '@jest/globals';
import { POLL_DELAYS_MS, nextPollAt } from './poll-schedule.js';

const MINUTE_MS = 60_000;
const now = new Date('2026-01-01T12:00:00Z');
const after = (minutes: number): Date => new Date(now.getTime() + minutes * MINUTE_MS);
const past = after(-1);

describe(nextPollAt.name, () => {
  it('waits 1 m, 5 m, 15 m, 1 h, 6 h, then a day five times', () => {
    const minutes = POLL_DELAYS_MS.map((ms) => ms / MINUTE_MS);
    expect(minutes).toEqual([1, 5, 15, 60, 360, 1440, 1440, 1440, 1440, 1440]);
    const polls = minutes.map((_, n) => nextPollAt(n, now, past));
    expect(polls).toEqual(minutes.map(after));
  });

  it('is used up after the last', () => {
    expect(nextPollAt(POLL_DELAYS_MS.length, now, past)).toBeNull();
  });

  it.each([
    ['the look when it comes first', 0, 30, 1],
    ['the expiry when it comes first', 3, 30, 30],
    ['the expiry when the schedule is used up', POLL_DELAYS_MS.length, 30, 30],
  ])('takes %s', (_, polls, expiryMinutes, expected) => {
    expect(nextPollAt(polls, now, after(expiryMinutes))).toEqual(after(expected));
  });

  it('does not poll at the moment of expiry twice', () => {
    expect(nextPollAt(0, now, now)).toEqual(after(1));
  });
});
