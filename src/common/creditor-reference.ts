import { randomInt } from 'node:crypto';
import { upperText } from './normalized-text.js';

/** RF, two check digits, and up to 21 characters: ISO 11649. */
const SHAPE = /^RF(\d\d)([A-Z0-9]{1,21})$/;
const BODY = /^[A-Z0-9]{1,21}$/;
/** How many digits stand behind the check digits of a reference of our own. */
const OWN_DIGITS = 16;
/** Characters of a text that are looked at: no text of a bank's line has more. */
const TEXT_MAX = 40_000;
const OWN = new RegExp(`RF\\d{${2 + OWN_DIGITS}}`, 'g');

/**
 * An ISO 11649 creditor reference, without blanks and in upper case: `RF18539007547034`.
 * @param body 1 to 21 letters and digits; blanks and small letters are taken
 * @throws RangeError for any other text
 */
export function creditorReference(body: string): string {
  const plain = compact(body);
  if (!BODY.test(plain))
    throw new RangeError('A creditor reference has 1 to 21 letters and digits.');
  return `RF${checkDigits(plain)}${plain}`;
}

/**
 * A creditor reference as it is stored, from any spelling with blanks and small letters; null when it is none. The
 * check digits must be the ones that are made for it: others can leave the same remainder.
 */
export function readCreditorReference(text: string): string | null {
  const plain = compact(text);
  const [, digits, body] = SHAPE.exec(plain) ?? [];
  return body !== undefined && checkDigits(body) === digits ? plain : null;
}

/** In groups of four, as it is printed. */
export const printedReference = (reference: string): string =>
  reference.replace(/.{4}(?=.)/g, '$& ');

/**
 * A new reference for a transfer to us: `RF`, check digits, and 16 random digits, the first of them 0 in test mode and 1
 * to 9 in live mode. Digits alone survive phones, forms and OCR, and one length is found in any text.
 */
export function newTransferReference(mode: 'test' | 'live'): string {
  const first = mode === 'test' ? 0 : randomInt(1, 10);
  const half = () => String(randomInt(10 ** 7)).padStart(7, '0');
  return creditorReference(`${first}${half()}${half()}${randomInt(10)}`);
}

/**
 * The references of our form in a text, each once: however a form has cut the text, and whatever signs stand between
 * their characters. What has other check digits is not one.
 */
export function transferReferencesIn(text: string): string[] {
  const plain = upperText(text, TEXT_MAX).replace(/[^A-Z0-9]/g, '');
  const found = [...plain.matchAll(OWN)].map(([reference]) => reference);
  return [...new Set(found.filter((each) => readCreditorReference(each) !== null))];
}

const compact = (text: string): string =>
  text.replace(/\s/g, '').replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** By ISO 7064, modulo 97-10, of the body with `RF00` behind it; letters count as 10 to 35. */
function checkDigits(body: string): string {
  let remainder = 0;
  for (const sign of `${body}RF00`) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return String(98 - remainder).padStart(2, '0');
}
