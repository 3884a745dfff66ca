/**
 * More combining marks than any letter has; normalisation sorts a run of them in quadratic time. The half-width voiced
 * sound marks are letters of Unicode, and NFKC makes combining marks of them.
 */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * NFC form. A text with more marks in a row than any letter has stays as it is: nobody types it, and it would take
 * seconds.
 */
export const composedText = (text: string): string =>
  text.search(TOO_MANY_MARKS) >= 0 ? text : text.normalize('NFC');

/** NFKC form, cut to `max` characters. One character can become 18, so the limit is applied to the result. */
export const normalizedText = (text: string, max: number): string =>
  text.replace(TOO_MANY_MARKS, '$1').slice(0, max).normalize('NFKC').slice(0, max);

/** As `normalizedText`, in upper case; one character can become three. */
export const upperText = (text: string, max: number): string =>
  normalizedText(text, max).toUpperCase().slice(0, max);
