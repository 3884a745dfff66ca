import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dayAt, weekdayOf } from '../common/time/time-zone.js';
import { nextRun, type Rhythm } from './next-run.js';

const DAILY: Rhythm = { frequency: 'daily', day: null };
const weekly = (day: number): Rhythm => ({ frequency: 'weekly', day });
const monthly = (day: number): Rhythm => ({ frequency: 'monthly', day });

const HOUR_MS = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Auckland', 'Asia/Kathmandu'];

describe(nextRun.name, () => {
  it.each([
    ['later today', DAILY, '2026-11-21T04:59:59.999Z', '2026-11-21T05:00:00.000Z'],
    ['tomorrow, when it is now', DAILY, '2026-11-21T05:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['at six o’clock in summer, too', DAILY, '2026-07-01T05:00:00Z', '2026-07-02T04:00:00.000Z'],
    [
      'after the night that lost an hour',
      DAILY,
      '2026-03-28T05:00:00Z',
      '2026-03-29T04:00:00.000Z',
    ],
    ['after the night that won one', DAILY, '2026-10-24T04:00:00Z', '2026-10-25T05:00:00.000Z'],
    ['on Monday', weekly(1), '2026-11-21T12:00:00Z', '2026-11-23T05:00:00.000Z'],
    ['on Sunday', weekly(7), '2026-11-21T12:00:00Z', '2026-11-22T05:00:00.000Z'],
    ['today, when it is that day', weekly(6), '2026-11-21T04:00:00Z', '2026-11-21T05:00:00.000Z'],
    ['a week later', weekly(6), '2026-11-21T05:00:00Z', '2026-11-28T05:00:00.000Z'],
    ['this month', monthly(28), '2026-11-21T12:00:00Z', '2026-11-28T05:00:00.000Z'],
    ['next month', monthly(1), '2026-12-01T05:00:00Z', '2027-01-01T05:00:00.000Z'],
    ['in the shortest month', monthly(28), '2026-01-28T05:00:00Z', '2026-02-28T05:00:00.000Z'],
  ])('is %s', (_, rhythm, after, run) => {
    expect(nextRun(rhythm, new Date(after), 'Europe/Berlin').toISOString()).toBe(run);
  });

  it('goes by the calendar of the zone', () => {
    const after = new Date('2026-11-21T23:00:00Z');
    expect(nextRun(weekly(7), after, 'Pacific/Auckland').toISOString()).toBe(
      '2026-11-28T17:00:00.000Z',
    );
    expect(nextRun(weekly(7), after, 'America/Sao_Paulo').toISOString()).toBe(
      '2026-11-22T09:00:00.000Z',
    );
  });

  it('comes once a day, at six o’clock, for years', () => {
    const moment = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, fc.constantFrom(...ZONES), (after, timeZone) => {
        const run = nextRun(DAILY, after, timeZone);
        const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' });
        expect(clock.format(run)).toBe('06:00:00');
        const hours = (nextRun(DAILY, run, timeZone).getTime() - run.getTime()) / HOUR_MS;
        expect([23, 24, 25]).toContain(hours);
        expect(run.getTime() - after.getTime()).toBeGreaterThan(0);
      }),
    );
  });

  it('comes on its day alone', () => {
    const day = fc.integer({ min: 1, max: 28 });
    const moment = fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2040-01-01T00:00:00Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moment, day, fc.constantFrom(...ZONES), (after, number, timeZone) => {
        const inMonth = dayAt(nextRun(monthly(number), after, timeZone), timeZone);
        expect(Number(inMonth.slice(-2))).toBe(number);
        const weekday = 1 + (number % 7);
        expect(weekdayOf(dayAt(nextRun(weekly(weekday), after, timeZone), timeZone))).toBe(weekday);
      }),
    );
  });

  it('knows no day that some months lack', () => {
    expect(() => nextRun(monthly(32), new Date(0), 'UTC')).toThrow(RangeError);
  });
});
