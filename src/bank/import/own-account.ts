import { endsIban, readIban } from '../../common/money/iban.js';

/** German bank code and account number: `50010517/5407324931`. */
const GERMAN = /^(\d{8})[/ ]+(\d{1,10})$/;
const CURRENCY_BEHIND = /[/ ]?[A-Z]{3}$/;

/**
 * Normalises an account of the platform: an IBAN if possible, otherwise the text as it is.
 * @param known IBANs of the platform that may end in the number
 */
export function ownAccount(text: string, known: readonly string[]): string {
  const plain = text.trim();
  const bare = plain.replace(CURRENCY_BEHIND, '').trim();
  return (
    readIban(plain) ??
    readIban(bare) ??
    germanIban(bare) ??
    only(known.filter((iban) => endsIban(bare, iban))) ??
    plain
  );
}

/** Calculates the check digits. */
function germanIban(text: string): string | null {
  const [, bank, number] = GERMAN.exec(text) ?? [];
  if (bank === undefined || number === undefined) return null;
  const body = `${bank}${number.padStart(10, '0')}`;
  // DE is 13 and 14; `00` is the placeholder of the check digits.
  const digits = 98n - (BigInt(`${body}131400`) % 97n);
  return readIban(`DE${String(digits).padStart(2, '0')}${body}`);
}

const only = (found: readonly string[]): string | undefined => {
  const each = [...new Set(found)];
  return each.length === 1 ? each[0] : undefined;
};
