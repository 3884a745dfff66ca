/**
 * Parses a decimal text such as `2.9`, `2,9` or `12` to units of its last decimal: with 4 decimals, `2.9` is 29,000.
 * Never rounds: signs, thousands separators and additional decimals give undefined.
 */
export function readDecimal(text: string, decimals: number): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  if (whole === '' || part.length > decimals) return undefined;
  const units = Number(whole + part.padEnd(decimals, '0'));
  return Number.isSafeInteger(units) ? units : undefined;
}

/** Inverse of `readDecimal`, without trailing zeros: 29,000 with 4 decimals is `2.9`. */
export function decimalText(units: number, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const part = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return part === '' ? whole : `${whole}.${part}`;
}
