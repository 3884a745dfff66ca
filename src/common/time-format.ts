import { LOCALE_FACTS, type Locale } from './locale.js';

const DAY_MS = 24 * 60 * 60 * 1000;

// Bounded by languages × the two kinds of deadline.
const deadlines = new Map<string, Intl.DateTimeFormat>();

/** In UTC, the day told only when the deadline is not within 24 hours: "14:32 UTC". */
export function formatDeadline(deadline: Date, now: Date, locale: Locale): string {
  const isSoon = deadline.getTime() - now.getTime() < DAY_MS;
  return deadlineFormat(locale, isSoon).format(deadline);
}

/**
 * A moment with its day and its zone: "20 November 2026 at 14:32 CET".
 * @param timeZone an IANA name that `isTimeZone` accepts
 */
export const formatMoment = (moment: Date, timeZone: string, locale: Locale): string =>
  new Intl.DateTimeFormat(LOCALE_FACTS[locale].tag, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
    timeZoneName: 'short',
  }).format(moment);

/** An IANA name such as `Europe/Berlin`; not an offset, which knows nothing of summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function deadlineFormat(locale: Locale, isSoon: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isSoon}`;
  const known = deadlines.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(LOCALE_FACTS[locale].tag, {
    ...(isSoon ? {} : { day: 'numeric', month: 'long' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  deadlines.set(key, made);
  return made;
}
