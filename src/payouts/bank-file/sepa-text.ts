import anyAscii from 'any-ascii';

/** The signs that every bank takes. None of them means anything in XML. */
const SEPA_TEXT = /^[A-Za-z0-9/\-?:().,'+ ]+$/;
const NOT_SEPA = /[^A-Za-z0-9/\-?:().,'+ ]/gu;

/** For what has no letters and no sign like it: visible, so that nobody takes the text for whole. */
const STAND_IN = '.';
const INVISIBLE = /^[\p{M}\p{Cf}]$/u;

/** As Germans spell them; all letters that are not here are as any-ascii has them. */
const UMLAUTS = { Ä: 'Ae', Ö: 'Oe', Ü: 'Ue', ä: 'ae', ö: 'oe', ü: 'ue' };
/** As Bulgarians spell them: theirs is the one Cyrillic alphabet in the banks' table, EPC217-08. */
const CYRILLIC = { Х: 'H', Щ: 'Sht', Ъ: 'A', Ь: 'Y', х: 'h', щ: 'sht', ъ: 'a', ь: 'y' };
const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ ...UMLAUTS, ...CYRILLIC }));

/** From the same table, but for `"` and `&`: signs, and in the same places the one most like each. */
const SIGNS = '[{]}\\|_~;`"&';
const ALIKE = "(())//--,''+";

export const isSepaText = (text: string): boolean => SEPA_TEXT.test(text);

/**
 * A name or another text as banks take it: `Łukasz & Söhne` is `Lukasz + Soehne`. Without blanks and
 * slashes at its ends, double blanks and double slashes; cut to `max` characters. Null when it has no
 * letter and no digit.
 */
export function sepaText(text: string, max: number): string | null {
  const written = text
    .normalize('NFC')
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
