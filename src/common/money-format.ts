import { currencyExponent } from './currencies.js';
import { LOCALE_FACTS, type Locale } from './locale.js';
import { toMajorUnits } from './money.js';

// Bounded by languages × currencies; making a formatter costs a thousand times a call of it.
const formats = new Map<string, Intl.NumberFormat>();

/**
 * Minor units as people read them: 8990 EUR in English is "€89.90". Goes through the exact decimal
 * text, so no digit is ever rounded.
 */
export function formatMoney(minor: number, currency: string, locale: Locale): string {
  const decimal = toMajorUnits(minor, currency) as Intl.StringNumericLiteral;
  return formatOf(locale, currency).format(decimal);
}

/** Too long for the largest letters on the narrowest phone. */
export const isLongAmount = (text: string): boolean => text.length > 11;

function formatOf(locale: Locale, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const known = formats.get(key);
  if (known) return known;
  const digits = currencyExponent(currency);
  const made = new Intl.NumberFormat(LOCALE_FACTS[locale].tag, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, made);
  return made;
}
