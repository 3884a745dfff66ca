import { randomInt } from 'node:crypto';
import { upperText } from '../normalized-text.js';

/** RF, two check digits, and up to 21 characters: ISO 11649. */
const SHAPE = /^RF(\d\d)([A-Z0-9]{1,21})$/;
const BODY = /^[A-Z0-9]{1,21}$/;
/** Number of digits after the check digits in our own references. */
const OWN_DIGITS = 16;
/** Maximum length that is searched; longer than any text of a bank line. */
const TEXT_MAX = 40_000;
const OWN = new RegExp(`RF\\d{${2 + OWN_DIGITS}}`, 'g');

/**
 * An ISO 11649 creditor reference, without blanks and in upper case: `RF18539007547034`.
 * @param body 1 to 21 letters and digits; blanks and lower case are normalised
 * @throws RangeError for any other text
 */
export function creditorReference(body: string): string {
  const plain = compact(body);
  if (!BODY.test(plain))
    throw new RangeError('A creditor reference has 1 to 21 letters and digits.');
  return `RF${checkDigits(plain)}${plain}`;
}

/**
 * Normalises a creditor reference with blanks or lower case; null if it is invalid. The check digits must equal the
 * computed ones: others can leave the same remainder.
 */
export function readCreditorReference(text: string): string | null {
  const plain = compact(text);
  const [, digits, body] = SHAPE.exec(plain) ?? [];
  return body !== undefined && checkDigits(body) === digits ? plain : null;
}

/** In groups of four for display. */
export const printedReference = (reference: string): string =>
  reference.replace(/.{4}(?=.)/g, '$& ');

/**
 * A new reference for a transfer to us: `RF`, check digits and 16 random digits, the first 0 in test mode and 1 to 9 in
 * live mode. Digits survive phones, forms and OCR, and a fixed length can be found in any text.
 */
export function newTransferReference(mode: 'test' | 'live'): string {
  const first = mode === 'test' ? 0 : randomInt(1, 10);
  const half = () => String(randomInt(10 ** 7)).padStart(7, '0');
  return creditorReference(`${first}${half()}${half()}${randomInt(10)}`);
}

/**
 * Distinct references of our own format in a text with valid check digits. Ignores line breaks and all characters other
 * than letters and digits.
 */
export function transferReferencesIn(text: string): string[] {
  const plain = upperText(text, TEXT_MAX).replace(/[^A-Z0-9]/g, '');
  const found = [...plain.matchAll(OWN)].map(([reference]) => reference);
  return [...new Set(found.filter((each) => readCreditorReference(each) !== null))];
}

const compact = (text: string): string =>
  text.replace(/\s/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** ISO 7064, MOD 97-10, of the body followed by `RF00`; letters count as 10 to 35. */
function checkDigits(body: string): string {
  let remainder = 0;
  for (const sign of `${body}RF00`) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return String(98 - remainder).padStart(2, '0');
}
