const SPACES = /[\s'’]/g;

interface Parts {
  readonly whole: string;
  readonly decimals: string;
}

/**
 * Possible amounts in minor units of a text such as `89.90`, `89,90`, `1.249,00` or `1249`, the likelier first. Empty
 * if the text is not an amount with so many decimals. Two if a separator is ambiguous: `1.249` with three decimals.
 */
export function minorUnits(text: string, exponent: number): number[] {
  const plain = text.replace(SPACES, '');
  const amounts = readings(plain).flatMap(({ whole, decimals }) => {
    const kept = decimals.slice(0, exponent).padEnd(exponent, '0');
    const isExact = /^0*$/.test(decimals.slice(exponent));
    const amount = Number(whole + kept);
    return isExact && Number.isSafeInteger(amount) ? [amount] : [];
  });
  // Three decimals after a single separator are more likely thousands, unless the currency has three.
  return [...new Set(exponent === 3 ? amounts : amounts.reverse())];
}

/** First as decimals, then as thousands. */
function readings(text: string): Parts[] {
  const decimal = decimalParts(text);
  const isGrouped = /^[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/.test(text);
  const grouped = { whole: text.replace(/[.,]/g, ''), decimals: '' };
  return [...(decimal ? [decimal] : []), ...(isGrouped ? [grouped] : [])];
}

function decimalParts(text: string): Parts | undefined {
  const match =
    /^(\d+)(?:[.,](\d+))?$/.exec(text) ??
    /^([1-9]\d{0,2}(?:\.\d{3})+),(\d+)$/.exec(text) ??
    /^([1-9]\d{0,2}(?:,\d{3})+)\.(\d+)$/.exec(text);
  if (!match) return undefined;
  const [, whole = '', decimals = ''] = match;
  return { whole: whole.replace(/[.,]/g, ''), decimals };
}
