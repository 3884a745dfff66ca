import { currencyExponent } from './currencies.js';

/** The largest amount of one order, in minor units: 999 999 999.99 of a two-digit currency. */
export const AMOUNT_MAX = 99_999_999_999;

/** Exponent for unknown or withdrawn currencies, so that their amounts can still be formatted. */
export const UNKNOWN_EXPONENT = 2;

/** Whole minor units, 1 … AMOUNT_MAX. Numeric strings are rejected. */
export function isAmount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= AMOUNT_MAX;
}

/**
 * The exact decimal text of an amount in minor units: 8990 EUR is `89.90`, 1000 JPY is `1000`,
 * 1000 KWD is `1.000`. Cuts text instead of dividing, so no digit is ever rounded.
 * @param amount a bigint for sums of many orders
 * @throws RangeError for a number that is not a safe integer.
 */
export function toMajorUnits(amount: number | bigint, currency: string): string {
  const exponent = currencyExponent(currency) ?? UNKNOWN_EXPONENT;
  if (typeof amount === 'number' && !Number.isSafeInteger(amount)) {
    throw new RangeError('amount is not a safe integer');
  }
  const sign = amount < 0 ? '-' : '';
  const digits = String(amount)
    .slice(sign.length)
    .padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
