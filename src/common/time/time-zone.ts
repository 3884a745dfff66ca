/**
 * Calendar days of a time zone, from Intl. A day is text such as `2026-11-20`; a zone is an IANA name that `isTimeZone`
 * accepts.
 */

import { dateFormats } from './date-formats.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum offset of a zone from UTC. */
const AWAY_MS = 36 * HOUR_MS;
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const YEARS = { min: 1970, max: 2999 } as const;

/** A calendar day in a plausible year. */
export function isCalendarDay(text: string): boolean {
  const year = Number(DAY.exec(text)?.[1]);
  return year >= YEARS.min && year <= YEARS.max && addDays(text, 0) === text;
}

/** `2026-03-01` and -1 is `2026-02-28`. */
export const addDays = (day: string, days: number): string =>
  new Date(midnightOf(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Day of a moment in the zone. */
export const dayAt = (moment: Date, timeZone: string): string =>
  new Date(wallClock(moment.getTime(), timeZone)).toISOString().slice(0, 10);

/**
 * First moment of a day in the zone: after midnight where a clock change skips it, and that of the next day if the zone
 * skipped the whole day.
 */
export const startOfDay = (day: string, timeZone: string): Date => hourOf(day, 0, timeZone);

/** First moment at which the clocks of the zone show the hour, or have skipped it. */
export function hourOf(day: string, hour: number, timeZone: string): Date {
  const shown = midnightOf(day) + hour * HOUR_MS;
  let before = shown - AWAY_MS;
  let start = shown + AWAY_MS;
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (wallClock(middle, timeZone) < shown) before = middle;
    else start = middle;
  }
  return new Date(start);
}

/** From Monday = 1 to Sunday = 7. */
export const weekdayOf = (day: string): number => new Date(midnightOf(day)).getUTCDay() || 7;

/** Midnight in UTC, in milliseconds; 31 June is 1 July. */
function midnightOf(day: string): number {
  const [, year, month, date] = DAY.exec(day)!.map(Number);
  return Date.UTC(year!, month! - 1, date);
}

/** Local time in the zone, as milliseconds of the same clock time in UTC. */
function wallClock(ms: number, timeZone: string): number {
  const seconds = Math.floor(ms / 1000);
  const parts = formatOf(timeZone).formatToParts(seconds * 1000);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)!.value);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return shown + (ms - seconds * 1000);
}

const formatOf = dateFormats('en-u-ca-gregory-nu-latn', {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
