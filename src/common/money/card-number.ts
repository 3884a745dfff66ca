import { normalizedText } from '../normalized-text.js';

interface Network {
  readonly prefix: RegExp;
  readonly min: number;
  readonly max: number;
}

/**
 * Number ranges of each network. Visa's 13 digits are omitted: none has been issued for decades, and one in ten EAN-13
 * that start with 4 would match. Maestro's 12 to 15 digits are omitted for the same reason.
 */
const NETWORKS: readonly Network[] = [
  { prefix: /^4/, min: 16, max: 16 }, // Visa
  { prefix: /^4/, min: 19, max: 19 }, // Visa
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, min: 16, max: 16 }, // Mastercard
  { prefix: /^3[47]/, min: 15, max: 15 }, // American Express
  { prefix: /^(6011|64[4-9]|65)/, min: 16, max: 19 }, // Discover
  { prefix: /^(30[0-5]|3095|36|3[89])/, min: 14, max: 19 }, // Diners Club
  { prefix: /^35(2[89]|[3-8])/, min: 16, max: 19 }, // JCB
  { prefix: /^62/, min: 16, max: 19 }, // UnionPay
  { prefix: /^(5018|5020|5038|5893|6304|6759|676[1-3])/, min: 16, max: 19 }, // Maestro
];

const PLAIN = /(?<!\d)\d{14,19}(?!\d)/g;
// 4-6-5 is American Express, 4-6-4 Diners Club.
const GROUPED_BY_SIX = /(?<!\d)\d{4}([ -])\d{6}\1\d{4,5}(?!\d)/g;
const GROUPED_BY_FOUR = /(?<!\d)\d{4}([ -])\d{4}(?:\1\d{4}){2,}(?:\1\d{1,3})?(?!\d)/g;
/** Five groups of four and three digits: a card followed by a year, a code or an order number. */
const GROUPED_DIGITS_MAX = 23;

const IBAN =
  /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?![A-Z0-9])/g;
/** Longer than any field allows, even after normalisation. */
const TEXT_MAX = 200_000;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

/**
 * Whether a text contains a payment card number: prefix and length of a network, Luhn-valid, plain or grouped as on the
 * card by single spaces or dashes, in ASCII, full-width or Arabic digits. Longer runs of digits do not match, and
 * neither do IBANs with valid check digits.
 */
export function containsCardNumber(text: string): boolean {
  const plain = withAsciiDigits(text).replace(IBAN, (match) => (isIban(match) ? '' : match));
  return candidates(plain).some(isCardNumber);
}

function withAsciiDigits(text: string): string {
  // The last four bits of these code points are the digit's value.
  return normalizedText(text, TEXT_MAX).replace(ARABIC_DIGITS, (digit) =>
    String(digit.charCodeAt(0) & 0xf),
  );
}

function candidates(text: string): string[] {
  const whole = [...(text.match(PLAIN) ?? []), ...(text.match(GROUPED_BY_SIX) ?? [])];
  const byFour = (text.match(GROUPED_BY_FOUR) ?? [])
    .map(digitsOf)
    .filter((digits) => digits.length <= GROUPED_DIGITS_MAX);
  return [
    ...whole.map(digitsOf),
    ...byFour.flatMap((digits) => [digits, digits.slice(0, 16), digits.slice(4, 20)]),
  ];
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function isCardNumber(digits: string): boolean {
  const { length } = digits;
  return (
    NETWORKS.some(
      ({ prefix, min, max }) => length >= min && length <= max && prefix.test(digits),
    ) && isLuhnValid(digits)
  );
}

/** ISO/IEC 7812-1, annex B. */
function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 7064, MOD 97-10, with the first four characters moved to the end. */
function isIban(text: string): boolean {
  const compact = text.replace(/[ -]/g, '');
  const moved = compact.slice(4) + compact.slice(0, 4);
  const numeric = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(numeric) % 97n === 1n;
}
