import { readCreditorReference, transferReferencesIn } from '../common/creditor-reference.js';
import { normalizedText, upperText } from '../common/normalized-text.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';

/** Where in a line a reference stood, and how it was written. */
export interface Sighting {
  readonly reference: string;
  readonly place: 'structured' | 'text' | 'end_to_end_id';
  /** Of the last two nobody is sure. */
  readonly spelling: 'exact' | 'without_letters' | 'look_alike';
}

type Words = Pick<BankLine, 'references' | 'text' | 'endToEndId'>;

/** Check digits and the 16 that follow. */
const DIGITS = 18;
/**
 * Characters of a line that are looked at, once they are normalised, in the order of the places: a payer can write 140, a
 * bank gathers some hundreds.
 */
const LOOKED_AT = 5_000;
/** References that a line can name, doubtful ones and those with a mistake. */
const CLUES_MAX = 200;
/** Rows of digits in a line that are looked at for a mistake: each differs from 200 others by one. */
const NEAR_MAX = 20;

/** What readers and printers take for each other. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' };

/** References in our form that are written out, with good check digits; nobody is asked whether there are such orders. */
export const sureReferences = (line: Words): Sighting[] => once(sureIn(line));

/** Those with good check digits, but without `RF`, or with letters that look like digits. */
export const doubtfulReferences = (line: Words): Sighting[] => once(doubtfulIn(line));

/** What would be a reference but for one mistake: a wrong, missing, doubled or exchanged digit. */
export function nearReferences(line: Words): string[] {
  const rows = placesLookedAt(line).flatMap(([, text]) => nearRowsIn(text));
  return [...new Set(rows.slice(0, NEAR_MAX).flatMap(mended))].slice(0, CLUES_MAX);
}

/** So much of what a line says, normalised, and where it stands, that no text keeps the others waiting. */
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

/** The first of each: structured before text, text before the end-to-end id. */
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

/** Wherever 18 digits in a row are a reference without its letters, also inside longer rows. */
function* doubtfulIn(line: Words): Generator<Sighting> {
  for (const [place, text] of placesLookedAt(line)) {
    for (const reference of windowsIn(plain(text)))
      yield { reference, place, spelling: 'without_letters' };
    for (const reference of windowsIn(withDigits(text)))
      yield { reference, place, spelling: 'look_alike' };
  }
}

const plain = (text: string): string => upperText(text, LOOKED_AT).replace(/[^A-Z0-9]/g, '');

/** The same with digits for letters that look so, in words that have a digit: `IBAN` is none of a number. */
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

/** What one mistake made of a reference: rows of digits behind `RF`, or alone and about as long. */
function nearRowsIn(text: string): string[] {
  const written = withDigits(text);
  const named = [...written.matchAll(/RF(\d{17,})/g)].map(([, row]) => row!.slice(0, DIGITS + 1));
  const alone = [...written.matchAll(/(?<!\d)\d{17,19}(?!\d)/g)].map(([row]) => row);
  return [...named, ...alone];
}

const ANY_DIGIT = Array.from({ length: 10 }, (_, digit) => String(digit));

/** All references that differ from the digits by one mistake. */
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

/** `RF` with these digits behind it is a reference. Arithmetic first: few of many windows pass it. */
function hasGoodDigits(digits: string): boolean {
  const [high, low] = [Number(digits.slice(2, 10)), Number(digits.slice(10))];
  const body = ((high % 97) * 10 ** 8 + low) % 97;
  // R and F count as 27 and 15.
  if ((body * 10 ** 6 + 271_500 + Number(digits.slice(0, 2))) % 97 !== 1) return false;
  return digits.length === DIGITS && readCreditorReference(`RF${digits}`) !== null;
}
