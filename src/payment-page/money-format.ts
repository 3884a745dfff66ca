import { currencyExponent } from '../common/currencies.js';
import { toMajorUnits } from '../common/money.js';
import { LOCALE_FACTS } from './locale.js';
import type { Locale } from './page.model.js';

const DAY_MS = 24 * 60 * 60 * 1000;

// Bounded by languages × currencies; making a formatter costs a thousand times a call of it.
const moneyFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Minor units as a payer reads them: 8990 EUR in English is "€89.90". Goes through the exact
 * decimal text, so no digit is ever rounded.
 */
export function formatMoney(minor: number, currency: string, locale: Locale): string {
  const decimal = toMajorUnits(minor, currency) as Intl.StringNumericLiteral;
  return moneyFormat(locale, currency).format(decimal);
}

/** Too long for the largest letters on the narrowest phone. */
export const isLongAmount = (text: string): boolean => text.length > 11;

/** In UTC, the day told only when the deadline is not within 24 hours: "14:32 UTC". */
export function formatDeadline(deadline: Date, now: Date, locale: Locale): string {
  const isSoon = deadline.getTime() - now.getTime() < DAY_MS;
  return timeFormat(locale, isSoon).format(deadline);
}

function moneyFormat(locale: Locale, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const known = moneyFormats.get(key);
  if (known) return known;
  const digits = currencyExponent(currency);
  const made = new Intl.NumberFormat(LOCALE_FACTS[locale].tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  moneyFormats.set(key, made);
  return made;
}

function timeFormat(locale: Locale, isSoon: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isSoon}`;
  const known = timeFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(LOCALE_FACTS[locale].tag, {
    ...(isSoon ? {} : { day: 'numeric', month: 'long' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  });
  timeFormats.set(key, made);
  return made;
}
