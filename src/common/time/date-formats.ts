import { memoize } from '../memoize.js';

/**
 * Memoised date formats of a locale by time zone: creating one costs a thousand times a call of it.
 * @param tag a BCP 47 name
 * @returns takes IANA names that `isTimeZone` accepts
 */
export const dateFormats = (tag: string, parts: Intl.DateTimeFormatOptions) =>
  memoize((timeZone: string) => new Intl.DateTimeFormat(tag, { ...parts, timeZone }));
