/** More than any letter has; to sort a long row of them takes the square of its length. */
const TOO_MANY_MARKS = /(\p{M}{30})\p{M}+/gu;

/**
 * A text with one spelling of each character (NFKC), cut to `max` characters. One character can become 18, so the
 * limit holds for what comes out.
 */
export const normalizedText = (text: string, max: number): string =>
  text.replace(TOO_MANY_MARKS, '$1').slice(0, max).normalize('NFKC').slice(0, max);

/** The same in capitals, of which one small letter can have three. */
export const upperText = (text: string, max: number): string =>
  normalizedText(text, max).toUpperCase().slice(0, max);
