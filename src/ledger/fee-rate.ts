import { currencyExponent } from '../common/money/currencies.js';
import { UNKNOWN_EXPONENT } from '../common/money/money.js';
import { decimalText, readDecimal } from './decimal.js';

/** Maximum decimals of a percentage: 2.9 % is 29,000 parts per million. */
const PERCENT_DECIMALS = 4;
const PARTS_MAX = 1_000_000;
/** Minor units of the fixed part. */
const FIXED_MAX = 99_999_999_999;

const atMost = (value: number | undefined, max: number): number | undefined =>
  value !== undefined && value <= max ? value : undefined;

/** Parts per million; undefined unless the text is a percentage from 0 to 100 with at most 4 decimals. */
export const readPercent = (text: string): number | undefined =>
  atMost(readDecimal(text, PERCENT_DECIMALS), PARTS_MAX);

/** 29,000 parts per million is `2.9`. */
export const percentText = (partsPerMillion: number): string =>
  decimalText(partsPerMillion, PERCENT_DECIMALS);

/** Minor units of the currency, from 0; undefined for an invalid amount. */
export function readFixed(text: string, currency: string): number | undefined {
  const exponent = currencyExponent(currency) ?? UNKNOWN_EXPONENT;
  return atMost(readDecimal(text, exponent), FIXED_MAX);
}
