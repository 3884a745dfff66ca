import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';

/** A line of a file, unchanged. */
export interface RawLine {
  readonly text: string;
  /** End of the previous line; empty for the first line. */
  readonly endBefore: string;
}

const LINE_END = /(\r\n|\n|\r(?!$))/;

/** Splits chunks of text into lines, with any line ends. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<RawLine[]> {
  let rest = '';
  let endBefore = '';
  for await (const chunk of text) {
    const parts = (rest + chunk).split(LINE_END);
    rest = parts.pop() ?? '';
    if (rest.length > LIMITS.text) lineTooLong();
    const lines: RawLine[] = [];
    for (let at = 0; at < parts.length; at += 2) {
      lines.push({ text: parts[at]!, endBefore });
      endBefore = parts[at + 1]!;
    }
    yield lines;
  }
  yield [{ text: rest.replace(/\r$/, ''), endBefore }];
}

export const lineTooLong = (): never => refuse(`A line is longer than ${LIMITS.text} characters.`);

/** Control characters, Unicode line separators and byte order marks, which no bank writes into a field. */
const ODD = /[^\P{Cc}\t]|[\u2028\u2029\ufeff]/gu;
/** Blanks of one, two and three UTF-8 bytes. */
const BLANKS = [' ', '\u00a0', '\u2003'];

/** Replaces each odd character of a text line by a blank of the same width, so that no field begins after it. */
export const replaceControls = (text: string): string =>
  text.replace(ODD, (odd) => BLANKS[Buffer.byteLength(odd) - 1]!);

/** Removes odd characters from a line around messages, where some banks send control characters. */
export const removeControls = (text: string): string => text.replace(ODD, '');
