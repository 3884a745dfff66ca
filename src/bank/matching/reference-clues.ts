import {
  readCreditorReference,
  transferReferencesIn,
} from '../../common/money/creditor-reference.js';
import { normalizedText, upperText } from '../../common/normalized-text.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';

/** A reference in a line: where it appeared, and how it was written. */
export interface Sighting {
  readonly reference: string;
  readonly place: 'structured' | 'text' | 'end_to_end_id';
  /** The last two are uncertain. */
  readonly spelling: 'exact' | 'without_letters' | 'look_alike';
}

type Words = Pick<BankLine, 'references' | 'text' | 'endToEndId'>;

/** Check digits and the 16 digits that follow. */
const DIGITS = 18;
/**
 * Normalised characters read per line, in the order of the places. A payer can write 140; a bank adds some hundreds.
 */
export const LOOKED_AT = 5_000;
/** Maximum doubtful and mistyped references per line. */
const CLUES_MAX = 200;
/** Maximum digit sequences per line that are checked for typos: each has 200 variants. */
const NEAR_MAX = 20;

/** Characters that people and OCR confuse. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' };

/** References with valid check digits. Does not look up orders. */
export const sureReferences = (line: Words): Sighting[] => once(sureIn(line));

/** References with valid check digits, but without `RF`, or with letters that look like digits. */
export const doubtfulReferences = (line: Words): Sighting[] => once(doubtfulIn(line));

/** Candidate references that differ by one typo: a wrong, missing, doubled or swapped digit. */
export function nearReferences(line: Words): string[] {
  const rows = placesLookedAt(line).flatMap(([, text]) => nearRowsIn(text));
  return [...new Set(rows.slice(0, NEAR_MAX).flatMap(mended))].slice(0, CLUES_MAX);
}

/** Normalised texts of a line with their places, limited in length so that one line cannot block the others. */
export function placesLookedAt(line: Words): (readonly [Sighting['place'], string])[] {
  let left = LOOKED_AT;
  return [
    ...line.references.map(({ value }) => ['structured', value] as const),
    ['text', line.text ?? ''] as const,
    ['end_to_end_id', line.endToEndId ?? ''] as const,
  ].flatMap(([place, text]) => {
    const some = left > 0 ? normalizedText(text, left) : '';
    left -= some.length;
    return some === '' ? [] : [[place, some] as const];
  });
}

/** Keeps the first sighting of each: structured, then text, then end-to-end id. */
function once(sightings: Iterable<Sighting>): Sighting[] {
  const first = new Map<string, Sighting>();
  for (const each of sightings) {
    if (!first.has(each.reference)) first.set(each.reference, each);
    if (first.size === CLUES_MAX) break;
  }
  return [...first.values()];
}

function* sureIn(line: Words): Generator<Sighting> {
  for (const [place, text] of placesLookedAt(line))
    for (const reference of transferReferencesIn(text))
      yield { reference, place, spelling: 'exact' };
}

/** Every 18 digits in a row that are a reference without its letters, also inside longer sequences. */
function* doubtfulIn(line: Words): Generator<Sighting> {
  for (const [place, text] of placesLookedAt(line)) {
    for (const reference of windowsIn(plain(text)))
      yield { reference, place, spelling: 'without_letters' };
    for (const reference of windowsIn(withDigits(text)))
      yield { reference, place, spelling: 'look_alike' };
  }
}

const plain = (text: string): string => upperText(text, LOOKED_AT).replace(/[^A-Z0-9]/g, '');

/** Replaces letters that look like digits, only in words with a digit: not in `IBAN`. */
const withDigits = (text: string): string =>
  upperText(text, LOOKED_AT)
    .replace(/[A-Z0-9]+/g, (word) => (/\d/.test(word) ? lookAlikesMended(word) : word))
    .replace(/[^A-Z0-9]/g, '');

const lookAlikesMended = (word: string): string =>
  word.replace(/[OILSB]/g, (letter) => LOOK_ALIKES[letter]!);

function* windowsIn(written: string): Generator<string> {
  for (const [row] of written.matchAll(/\d{18,}/g)) {
    for (let at = 0; at + DIGITS <= row.length; at++) {
      const digits = row.slice(at, at + DIGITS);
      if (hasGoodDigits(digits)) yield `RF${digits}`;
    }
  }
}

/** Digit sequences that may be a mistyped reference: after `RF`, or alone with about the right length. */
function nearRowsIn(text: string): string[] {
  const written = withDigits(text);
  const named = [...written.matchAll(/RF(\d{17,})/g)].map(([, row]) => row!.slice(0, DIGITS + 1));
  const alone = [...written.matchAll(/(?<!\d)\d{17,19}(?!\d)/g)].map(([row]) => row);
  return [...named, ...alone];
}

const ANY_DIGIT = Array.from({ length: 10 }, (_, digit) => String(digit));

/** All references that differ from the digits by one typo. */
function mended(row: string): string[] {
  const digits = row.slice(0, DIGITS);
  const at = Array.from(digits, (_, n) => n);
  const changed =
    row.length < DIGITS
      ? [...at, row.length].flatMap((n) => ANY_DIGIT.map((digit) => splice(row, n, 0, digit)))
      : [
          ...at.flatMap((n) => ANY_DIGIT.map((digit) => splice(digits, n, 1, digit))),
          ...at.slice(1).map((n) => splice(digits, n - 1, 2, digits[n]! + digits[n - 1]!)),
          ...(row.length > DIGITS ? at.map((n) => splice(row, n, 1, '')) : []),
        ];
  return changed.filter(hasGoodDigits).map((each) => `RF${each}`);
}

const splice = (text: string, at: number, length: number, put: string): string =>
  text.slice(0, at) + put + text.slice(at + length);

/** Whether `RF` with these digits is a valid reference. Arithmetic first: it rejects most candidates cheaply. */
function hasGoodDigits(digits: string): boolean {
  const [high, low] = [Number(digits.slice(2, 10)), Number(digits.slice(10))];
  const body = ((high % 97) * 10 ** 8 + low) % 97;
  // In the checksum R is 27 and F is 15.
  if ((body * 10 ** 6 + 271_500 + Number(digits.slice(0, 2))) % 97 !== 1) return false;
  return digits.length === DIGITS && readCreditorReference(`RF${digits}`) !== null;
}
