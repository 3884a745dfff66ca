import { currencyExponent } from './currencies.js';
import { LOCALE_FACTS, type Locale } from '../locale.js';
import { toMajorUnits } from './money.js';
import { memoize } from '../memoize.js';

/**
 * Formats minor units for a locale: 8990 EUR in English is "€89.90". Uses the exact decimal text, so no digit is
 * rounded.
 */
export function formatMoney(minor: number, currency: string, locale: Locale): string {
  const decimal = toMajorUnits(minor, currency) as Intl.StringNumericLiteral;
  return formatsOf(locale)(currency).format(decimal);
}

/** Too long for the largest letters on the narrowest phone. */
export const isLongAmount = (text: string): boolean => text.length > 11;

/** Creating a format costs a thousand times a call of it. */
const formatsOf = memoize((locale: Locale) =>
  memoize((currency: string) => {
    const digits = currencyExponent(currency);
    return new Intl.NumberFormat(LOCALE_FACTS[locale].tag, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }),
);
