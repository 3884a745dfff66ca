/**
 * A decimal text such as `2.9`, `2,9` or `12` in units of its last possible digit: with 4 decimals,
 * `2.9` is 29,000. Nothing is rounded and nothing guessed: signs, groups of thousands and more
 * decimals than there are make it undefined.
 */
export function readDecimal(text: string, decimals: number): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const units = Number(whole + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(units) ? units : undefined;
}

/** The text of so many units, as short as it can be: 29,000 of 4 decimals are `2.9`. */
export function decimalText(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return part === '' ? whole : `${whole}.${part}`;
}
