import anyAscii from 'any-ascii';
import { composedText } from '../../common/normalized-text.js';

/** Characters that every bank accepts. None is special in XML. */
const SEPA_TEXT = /^[A-Za-z0-9/\-?:().,'+ ]+$/;
const NOT_SEPA = /[^A-Za-z0-9/\-?:().,'+ ]/gu;

/** Visible replacement for characters without an equivalent, so that readers notice the gap. */
const STAND_IN = '.';
const INVISIBLE = /^[\p{M}\p{Cf}]$/u;

/** German transliteration; any-ascii handles all other letters. */
const UMLAUTS = { Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ä: 'ae', ö: 'oe', ü: 'ue' };
/** Bulgarian transliteration: the only Cyrillic alphabet in the banks' table, EPC217-08. */
const CYRILLIC = { Х: 'H', Щ: 'Sht', Ъ: 'A', Ь: 'Y', х: 'h', щ: 'sht', ъ: 'a', ь: 'y' };
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ ...UMLAUTS, ...CYRILLIC }));

/** Signs from the same table, plus `"` and `&`, each with its replacement at the same position. */
const SIGNS = '[{]}\\|_~;`"&';
const ALIKE = "(())//--,''+";

export const isSepaText = (text: string): boolean => SEPA_TEXT.test(text);

/**
 * Converts a text to the SEPA character set: `Łukasz & Söhne` becomes `Lukasz + Soehne`. Removes blanks and slashes at
 * the ends and double ones; cuts to `max` characters. Null if no letter or digit is left.
 */
export function sepaText(text: string, max: number): string | null {
  const written = composedText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(NOT_SEPA, inSepaSet)
    .replace(/([ /])\1+/g, '$1')
    .replace(/^[ /]+/, '')
    .slice(0, max)
    .replace(/[ /]+$/, '');
  return /[A-Za-z0-9]/.test(written) ? written : null;
}

function inSepaSet(char: string): string {
  const ascii = LETTERS.get(char) ?? anyAscii(char);
  if (ascii === '') return INVISIBLE.test(char) ? '' : STAND_IN;
  return ascii.replace(NOT_SEPA, (sign) => ALIKE[SIGNS.indexOf(sign)] ?? STAND_IN);
}
