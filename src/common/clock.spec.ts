import { describe, expect, it } from '@jest/globals';
import { Clock, SystemClock, TestClock } from './clock.js';

describe('SystemClock', () => {
  it('tells the time of the machine', () => {
    const before = Date.now();
    const now = new SystemClock().now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('TestClock', () => {
  const start = new Date('2026-03-01T12:00:00.000Z');

  it('is a clock that stands still', () => {
    const clock: Clock = new TestClock(start);
    expect(clock.now()).toEqual(start);
    expect(clock.now()).toEqual(start);
  });

  it('advances by milliseconds', () => {
    const clock = new TestClock(start);
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe('2026-03-01T12:00:01.500Z');
  });

  it('can be set, also back', () => {
    const clock = new TestClock(start);
    clock.set(new Date(0));
    expect(clock.now().getTime()).toBe(0);
  });

  it('is not moved by a date it was given or gave away', () => {
    const given = new Date(start);
    const clock = new TestClock(given);
    given.setTime(0);
    clock.now().setTime(0);
    expect(clock.now()).toEqual(start);
  });
});
