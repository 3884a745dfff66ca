import { memoize } from './memoize.js';

/**
 * Days and times in one language, for each zone: making a format costs a thousand times a call of it.
 * @param tag a BCP 47 name
 * @returns takes IANA names that `isTimeZone` accepts
 */
export const dateFormats = (tag: string, parts: Intl.DateTimeFormatOptions) =>
  memoize((timeZone: string) => new Intl.DateTimeFormat(tag, { ...parts, timeZone }));
