import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';
import type { Total } from '../total.js';
import { HEAD } from './mt-head.js';
import { lineTooLong, linesOf, type RawLine, removeControls, replaceControls } from './mt-lines.js';

/** A field such as `:61:`, with its continuation lines. */
export interface MtField {
  readonly tag: string;
  /** Line in the file, from 1. */
  readonly line: number;
  readonly lines: string[];
  /** SWIFT header blocks before the field, which identify the bank. */
  readonly blocks: string | undefined;
  /** The line end before the field differs from the file's, as a payer's text may contain one. */
  readonly isBroken: boolean;
}

/** First line of a field, with its tag. */
export const startOf = ({ tag, lines }: MtField): string => `:${tag}:${lines[0] ?? ''}`;

/** Last line of a field. */
export const endOf = (field: MtField): string =>
  field.lines.length > 1 ? field.lines.at(-1)! : startOf(field);

const FIELD = /^:(\d{2}[A-Z]?|NS):(.*)$/s;
/**
 * End mark of a message: `-}{5:…}` with SWIFT blocks, `-` without. Before the last fields of a message it may be the
 * payer's text: then it counts only if another message, or the end of the file, follows.
 */
const END = /^-(?:\}|\s*$)/;
/** `-XXX`: end mark of some banks. Before the last fields of a message it is wrapped text such as `-OHG`. */
const NAMED_END = /^-[A-Z]{3}\s*$/;
/** Tags of the closing balance, and of the totals of a report. */
const LAST_FIELDS = /^(?:62[FM]|90[CD])$/;
/** SWIFT header blocks, on a line of their own or directly before :20:. */
const BLOCKS = /^\{1:.*\{4:(?=:20:|\s*$)/s;

/** Maximum lines of a field, and of all :86: of an entry. */
export const FIELD_LINES_MAX = 500;

/**
 * Yields the fields of a SWIFT-style file, and `null` at the end of a message. Skips SWIFT blocks and headers of banks
 * between messages.
 * @throws StatementRefusedError
 */
export async function* mtFields(
  text: AsyncIterable<string>,
  total: Total,
  warn: (code: string, detail: string) => void,
): AsyncGenerator<(MtField | null)[]> {
  const fields = new FieldReader(total, warn);
  for await (const lines of linesOf(text)) {
    for (const line of lines) fields.read(line);
    yield fields.take();
  }
  yield fields.close();
}

class FieldReader {
  private done: (MtField | null)[] = [];
  private open: MtField | undefined;
  /** Line end of the file: the one after its first field, since no payer's text precedes it. */
  private lineEnd: string | undefined;
  /** Number of characters of the open field. */
  private length = 0;
  private number = 0;
  private inLastFields = false;
  /** Line of the SWIFT header of the current message, whose end mark is still missing. */
  private block: number | undefined;
  private blocks: string | undefined;
  /** Lines since an end mark that may also be text. */
  private held: string[] | undefined;

  constructor(
    private readonly total: Total,
    private readonly warn: (code: string, detail: string) => void,
  ) {}

  read({ text, endBefore }: RawLine): void {
    this.number += 1;
    this.total.count('mtLines', this.number);
    if (text.length > LIMITS.text) lineTooLong();
    if (this.open) this.lineEnd ??= endBefore;
    const line = this.withoutBlocks(this.isText() ? replaceControls(text) : removeControls(text));
    const match = FIELD.exec(line);
    if (match) this.begin(match[1]!, match[2]!, endBefore !== (this.lineEnd ?? endBefore));
    else if (this.held) this.hold(this.held, line);
    else if (END.test(line) || (this.inLastFields && NAMED_END.test(line))) this.end(line);
    else if (this.open) this.add(this.open, line);
  }

  take(): (MtField | null)[] {
    const { done } = this;
    this.done = [];
    return done;
  }

  close(): (MtField | null)[] {
    this.checkBlock();
    if (this.held) this.endHeld();
    else if (this.open) this.done.push(this.open);
    return this.take();
  }

  /** Whether the next line may be the payer's text, which can follow :86: or :61:. */
  private isText(): boolean {
    const tag = this.open?.tag;
    return tag !== undefined && tag !== '20' && !HEAD.has(tag) && !this.inLastFields;
  }

  /** Removes SWIFT header blocks, except inside a text, where they may be the payer's. */
  private withoutBlocks(line: string): string {
    const blocks = this.isText() && !this.held ? undefined : BLOCKS.exec(line)?.[0];
    if (blocks === undefined) return line;
    if (this.held) this.endHeld();
    this.checkBlock();
    this.block = this.number;
    this.blocks = blocks;
    return line.slice(blocks.length);
  }

  private begin(tag: string, text: string, isBroken: boolean): void {
    if (this.held && tag === '20') this.endHeld();
    else if (this.held) this.resume(this.held);
    if (this.open) this.done.push(this.open);
    this.open = { tag, line: this.number, lines: [text], blocks: this.blocks, isBroken };
    this.blocks = undefined;
    this.length = text.length;
    this.inLastFields = tag !== '20' && (this.inLastFields || LAST_FIELDS.test(tag));
  }

  private add({ lines }: MtField, line: string): void {
    this.length += line.length;
    if (lines.push(line) > FIELD_LINES_MAX) {
      refuse(`Line ${this.number}: a field has more than ${FIELD_LINES_MAX} lines.`);
    }
    if (this.length > LIMITS.partText) {
      refuse(`Line ${this.number}: a field has more than ${LIMITS.partText} characters.`);
    }
  }

  private hold(held: string[], line: string): void {
    if (held.push(line) > FIELD_LINES_MAX) this.resume(held);
  }

  /** Treats the lines since the end mark as text. */
  private resume(held: readonly string[]): void {
    this.held = undefined;
    for (const line of this.open ? held : []) this.add(this.open!, line);
  }

  private endHeld(): void {
    this.held = undefined;
    this.inLastFields = true;
    this.end('');
  }

  private end(line: string): void {
    if (this.isText()) {
      this.held = [line];
      return;
    }
    if (this.open) this.done.push(this.open);
    this.done.push(null);
    this.open = undefined;
    this.block = undefined;
  }

  /** Warns if a message with SWIFT blocks has neither an end mark nor its last fields. */
  private checkBlock(): void {
    if (this.block === undefined || this.inLastFields) return;
    this.warn('cut_off', `The message at line ${this.block} has no end: the file may be cut off.`);
  }
}
