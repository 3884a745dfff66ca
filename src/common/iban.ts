import {
  isSEPACountry,
  isValidBIC,
  isValidIBAN,
  validateIBAN,
  ValidationErrorsIBAN,
} from 'ibantools';

/** They joined from 2024 to 2026, and ibantools has yet to notice (EPC409-09). */
const NEW_SEPA_COUNTRIES: ReadonlySet<string> = new Set(['AL', 'MD', 'ME', 'MK', 'RS']);

/** How every IBAN begins, and what else can stand in one. */
const IBAN_SHAPE = /^[A-Z]{2}\d{2}[A-Z0-9]+$/;

/** Narrower than ISO 9362: what every schema of a bank file takes, and every bank in use has. */
const BIC = /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/;

/**
 * An IBAN as it is stored, `DE89370400440532013000`, from any spelling with blanks and small
 * letters; null when its country, length, structure or check digits are not those of an IBAN.
 */
export function readIban(text: string): string | null {
  const iban = compact(text);
  return isValidIBAN(iban) ? iban : null;
}

export type IbanFault = 'no_iban' | 'unknown_country' | 'wrong_length' | 'wrong_check_digits';

/** Why `readIban` does not read a text, for whoever typed it; null when it does. */
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

/** The BIC of a bank, 8 or 11 upper-case characters; null for any other text. */
export function readBic(text: string): string | null {
  const bic = compact(text);
  return BIC.test(bic) && isValidBIC(bic) ? bic : null;
}

/** In groups of four, as it is printed; takes what `readIban` gives. */
export const printedIban = (iban: string): string => iban.replace(/.{4}(?=.)/g, '$& ');

/** Whether euros reach the account by a SEPA transfer; takes what `readIban` gives. */
export function isSepaIban(iban: string): boolean {
  const country = iban.slice(0, 2);
  return isSEPACountry(country) || NEW_SEPA_COUNTRIES.has(country);
}

/** Leaves `ß` and its like alone, which would turn into letters of the alphabet. */
function compact(text: string): string {
  return text.replace(/\s/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
