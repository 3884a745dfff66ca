import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';

/** A field such as `:61:`, with the lines below it that belong to it. */
export interface MtField {
  readonly tag: string;
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly lines: string[];
}

const FIELD = /^:(\d{2}[A-Z]?|NS):(.*)$/;
/** `-}{5:…}`, `-`, `-XXX`: the end of a message, with SWIFT blocks or without. */
const END = /^-(?:\}.*|[A-Z]{3})?\s*$/;
/** What stands before the first field in the same line: the blocks of SWIFT. */
const BLOCKS = /^\{1:.*\{4:/;
/** Control characters around messages, as some banks send them over the line. */
const FRAME = /[^\P{Cc}\t]|\ufeff/gu;

/** Lines of a text that comes in pieces, whatever their ends. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of text) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > LIMITS.text) tooLong();
    yield lines;
  }
  yield [rest.replace(/\r$/, '')];
}

const tooLong = (): never => refuse(`A line is longer than ${LIMITS.text} characters.`);

/**
 * The fields of a file in the style of SWIFT, and `null` where a message ends. What stands between messages is passed
 * over: blocks of SWIFT, and the headers of banks.
 * @throws StatementRefusedError
 */
export async function* mtFields(text: AsyncIterable<string>): AsyncGenerator<(MtField | null)[]> {
  let open: MtField | undefined;
  let number = 0;
  for await (const lines of linesOf(text)) {
    const done: (MtField | null)[] = [];
    for (const raw of lines) {
      number += 1;
      if (raw.length > LIMITS.text) tooLong();
      const line = raw.replace(FRAME, '').replace(BLOCKS, '');
      const match = FIELD.exec(line);
      if (match) {
        if (open) done.push(open);
        open = { tag: match[1]!, line: number, lines: [match[2]!] };
      } else if (END.test(line)) {
        if (open) done.push(open);
        done.push(null);
        open = undefined;
      } else if (open && open.lines.push(line) > MAX_LINES) {
        refuse(`Line ${number}: a field has more than ${MAX_LINES} lines.`);
      }
    }
    yield done;
  }
  if (open) yield [open];
}

const MAX_LINES = 500;
