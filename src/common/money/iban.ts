import {
  isSEPACountry,
  isValidBIC,
  isValidIBAN,
  validateIBAN,
  ValidationErrorsIBAN,
} from 'ibantools';

/** Joined from 2024 to 2026; missing in ibantools (EPC409-09). */
const NEW_SEPA_COUNTRIES: ReadonlySet<string> = new Set(['AL', 'MD', 'ME', 'MK', 'RS']);

/** Start and characters of every IBAN. */
const IBAN_SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]+$/;

/** Narrower than ISO 9362: accepted by every bank file schema, and by every BIC in use. */
const BIC = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/;

/**
 * Normalises an IBAN to `DE89370400440532013000`; null if its country, length, structure or check digits are invalid.
 */
export function readIban(text: string): string | null {
  const iban = compact(text);
  return isValidIBAN(iban) ? iban : null;
}

export type IbanFault = 'no_iban' | 'unknown_country' | 'wrong_length' | 'wrong_check_digits';

/** Why `readIban` rejects a text; null if it does not. */
export function ibanFault(text: string): IbanFault | null {
  const iban = compact(text);
  if (!IBAN_SHAPE.test(iban)) return 'no_iban';
  const { valid, errorCodes } = validateIBAN(iban);
  if (valid) return null;
  if (errorCodes.includes(ValidationErrorsIBAN.NoIBANCountry)) return 'unknown_country';
  if (errorCodes.includes(ValidationErrorsIBAN.WrongBBANLength)) return 'wrong_length';
  return errorCodes.includes(ValidationErrorsIBAN.WrongBBANFormat)
    ? 'no_iban'
    : 'wrong_check_digits';
}

/** A BIC of 8 or 11 upper-case characters; null for any other text. */
export function readBic(text: string): string | null {
  const bic = compact(text);
  return BIC.test(bic) && isValidBIC(bic) ? bic : null;
}

/** In groups of four for display; requires a normalised IBAN. */
export const printedIban = (iban: string): string => iban.replace(/.{4}(?=.)/g, '$& ');

/** Whether the account can receive SEPA transfers; requires a normalised IBAN. */
export function isSepaIban(iban: string): boolean {
  const country = iban.slice(0, 2);
  return isSEPACountry(country) || NEW_SEPA_COUNTRIES.has(country);
}

/** Keeps `ß` and similar, which upper-casing would turn into letters. */
function compact(text: string): string {
  return text.replace(/\s/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Shorter account numbers are the end of too many IBANs. */
const TELLING_LENGTH_MIN = 6;

/** Whether the IBAN ends in the account number, whatever its separators and leading zeros. */
export function endsIban(number: string, iban: string): boolean {
  const digits = number.replace(/[\s./-]/g, '').replace(/^0+/, '');
  const isTelling = digits.length >= TELLING_LENGTH_MIN && readIban(iban) !== null;
  return isTelling && iban.slice(4).endsWith(digits);
}
