import { dateFormats } from './date-formats.js';
import { LOCALE_FACTS, type Locale } from '../locale.js';
import { memoize } from '../memoize.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** In UTC; includes the day only for a deadline more than 24 hours ahead: "14:32 UTC". */
export function formatDeadline(deadline: Date, now: Date, locale: Locale): string {
  const isSoon = deadline.getTime() - now.getTime() < DAY_MS;
  return (isSoon ? hourFormats : dayFormats)(locale)('UTC').format(deadline);
}

/** Day of a moment in UTC: "20 November 2026". */
export const formatDay = (moment: Date, locale: Locale): string =>
  wholeDayFormats(locale)('UTC').format(moment);

/**
 * A moment with its day and its zone: "20 November 2026 at 14:32 CET".
 * @param timeZone an IANA name that `isTimeZone` accepts
 */
export const formatMoment = (moment: Date, timeZone: string, locale: Locale): string =>
  momentFormats(locale)(timeZone).format(moment);

const ZONES = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** Canonical name that databases know: this runtime accepts aliases, such as `IST` for `Asia/Calcutta`. */
export const canonicalZone = (timeZone: string): string =>
  zones(timeZone).resolvedOptions().timeZone;

/** An IANA name such as `Europe/Berlin`; offsets are rejected, since they have no daylight saving time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    const zone = canonicalZone(text);
    return ZONES.has(zone) || /^Etc\/GMT[+-]\d+$/.test(zone);
  } catch {
    return false;
  }
}

const zones = dateFormats('en', {});
const wholeDayFormats = memoize((locale: Locale) =>
  dateFormats(LOCALE_FACTS[locale].tag, { dateStyle: 'long' }),
);
const hourFormats = timesWith({});
const dayFormats = timesWith({ day: 'numeric', month: 'long' });
const momentFormats = timesWith({ day: 'numeric', month: 'long', year: 'numeric' });

function timesWith(day: Intl.DateTimeFormatOptions) {
  return memoize((locale: Locale) =>
    dateFormats(LOCALE_FACTS[locale].tag, {
      ...day,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    }),
  );
}
