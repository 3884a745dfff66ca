import { describe, expect, it } from '@jest/globals';
import { lastPollAt, nextPollAt, pollDelaysMs } from './poll-schedule.js';

const MINUTE_MS = 60_000;
const DAY = 1_440;
const DAYS = 5;
const now = new Date('2026-01-01T12:00:00Z');
const after = (minutes: number): Date => new Date(now.getTime() + minutes * MINUTE_MS);
const past = after(-1);

/** A payment that was started just now, or so many minutes ago. */
const awaited = (expiresAt: Date, ago = 0) => ({ startedAt: after(-ago), expiresAt });

describe(nextPollAt.name, () => {
  it('waits 1 m, 5 m, 15 m, 1 h, 6 h, then a day as often as it is set', () => {
    const minutes = pollDelaysMs(DAYS).map((ms) => ms / MINUTE_MS);
    expect(minutes).toEqual([1, 5, 15, 60, 360, DAY, DAY, DAY, DAY, DAY]);
    expect(pollDelaysMs(1)).toHaveLength(6);
    const polls = minutes.map((_, n) => nextPollAt(n, now, awaited(past), DAYS));
    expect(polls).toEqual(minutes.map(after));
  });

  it('is used up when its time is over, however often it polled', () => {
    const all = pollDelaysMs(DAYS).reduce((sum, ms) => sum + ms, 0) / MINUTE_MS;
    for (const polls of [0, 5, 10, 99]) {
      expect(nextPollAt(polls, now, awaited(past, all), DAYS)).toBeNull();
    }
    // One that ran late is not made up for.
    expect(nextPollAt(9, now, awaited(past, all - 10), DAYS)).toEqual(after(10));
  });

  it.each([
    ['the look when it comes first', 0, 30, 1],
    ['the expiry when it comes first', 3, 30, 30],
    ['the expiry when the schedule is used up', 10, 20 * DAY, 20 * DAY],
  ])('takes %s', (_, polls, expiryMinutes, expected) => {
    const next = nextPollAt(polls, now, awaited(after(expiryMinutes)), DAYS);
    expect(next).toEqual(after(expected));
  });

  it('does not poll at the moment of expiry twice', () => {
    expect(nextPollAt(0, now, awaited(now), DAYS)).toEqual(after(1));
  });
});

describe(lastPollAt.name, () => {
  it('is the end of the schedule, or of a longer time to pay', () => {
    expect(lastPollAt(awaited(past), 1)).toEqual(after(441 + DAY));
    expect(lastPollAt(awaited(after(9 * DAY)), DAYS)).toEqual(after(9 * DAY));
  });
});
