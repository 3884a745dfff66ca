import { currencyExponent } from '../common/money/currencies.js';

/** Decimal places of `scaled`; more than any bank uses. */
const SCALE = 10;
const DECIMAL = /^(\d{1,20})(?:\.(\d{0,20}))?$|^\.(\d{1,20})$/;

/** Amount as the bank wrote it: exact, not limited to the minor unit of its currency. */
export interface BankAmount {
  /** In ten-billionths of the major unit. */
  readonly scaled: bigint;
  readonly currency: string | null;
}

/** Parses decimals such as `8.850`, `01.00`, `.5` or `30000` to exact ten-billionths; undefined for any other text. */
export function scaledOf(text: string): bigint | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, whole = '0', decimals = match[3] ?? ''] = match;
  const isExact = /^0*$/.test(decimals.slice(SCALE));
  return isExact ? BigInt(whole + decimals.slice(0, SCALE).padEnd(SCALE, '0')) : undefined;
}

/**
 * Converts to minor units; null if the minor unit of the currency is unknown, the amount is not whole in it, or it
 * exceeds the safe integers of JSON numbers.
 */
export function toMinorUnits({ scaled, currency }: BankAmount): bigint | null {
  const exponent = currency === null ? undefined : currencyExponent(currency);
  if (exponent === undefined) return null;
  const unit = 10n ** BigInt(SCALE - exponent);
  const minor = scaled / unit;
  const isSafe =
    minor <= BigInt(Number.MAX_SAFE_INTEGER) && -minor <= BigInt(Number.MAX_SAFE_INTEGER);
  return scaled % unit === 0n && isSafe ? minor : null;
}

/** Decimal text without trailing zeros, such as `18500`, `0.5` or `-12.34`. */
export function formatScaled(scaled: bigint): string {
  const sign = scaled < 0n ? '-' : '';
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(SCALE + 1, '0');
  const decimals = digits.slice(-SCALE).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -SCALE)}${decimals && `.${decimals}`}`;
}

export const formatAmount = ({ scaled, currency }: BankAmount): string =>
  `${formatScaled(scaled)} ${currency ?? 'without a currency'}`;

export const isSameAmount = (one: BankAmount, other: BankAmount): boolean =>
  one.scaled === other.scaled && one.currency === other.currency;
