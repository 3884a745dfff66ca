import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';
import type { Total } from '../total.js';
import { HEAD } from './mt-head.js';
import { lineTooLong, linesOf, type RawLine, withoutFrame, withoutOdd } from './mt-lines.js';

/** A field such as `:61:`, with the lines below it that belong to it. */
export interface MtField {
  readonly tag: string;
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly lines: string[];
  /** The blocks of SWIFT before it, in which banks are named. */
  readonly blocks: string | undefined;
  /** Whether another line end than the file's precedes it, as a payer's text may have one. */
  readonly isBroken: boolean;
}

/** The line with which a field begins. */
export const startOf = ({ tag, lines }: MtField): string => `:${tag}:${lines[0] ?? ''}`;

/** The line with which it ends. */
export const endOf = (field: MtField): string =>
  field.lines.length > 1 ? field.lines.at(-1)! : startOf(field);

const FIELD = /^:(\d{2}[A-Z]?|NS):(.*)$/s;
/**
 * `-}{5:…}`, `-`: the end of a message, with SWIFT blocks or without. Before the last fields of a message a payer can have
 * written it, so that it counts only if another message or nothing follows.
 */
const END = /^-(?:\}|\s*$)/;
/** `-XXX`: the same at some banks. Before the last fields of a message it is a text such as `-OHG`, cut by the bank. */
const NAMED_END = /^-[A-Z]{3}\s*$/;
/** A closing balance, or the sums of a report. */
const LAST_FIELDS = /^(?:62[FM]|90[CD])$/;
/** SWIFT blocks before the first field of a message, in the same line. */
const BLOCKS = /^\{1:.*\{4:(?=:20:|\s*$)/s;

/** The most that belong to a field, and all :86: of an entry together. */
export const FIELD_LINES_MAX = 500;

/**
 * The fields of a file in the style of SWIFT, and `null` where a message ends. What stands between messages is passed
 * over: blocks of SWIFT, and the headers of banks.
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
  /** Line end of the file, as after its first field: no payer's text precedes that. */
  private lineEnd: string | undefined;
  /** Characters of the open field. */
  private length = 0;
  private number = 0;
  private nearEnd = false;
  /** Where a message began whose blocks want an end. */
  private block: number | undefined;
  private blocks: string | undefined;
  /** The lines since a mark that may be the end of a message, or text. */
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
    const line = this.withoutBlocks(this.isText() ? withoutOdd(text) : withoutFrame(text));
    const match = FIELD.exec(line);
    if (match) this.begin(match[1]!, match[2]!, endBefore !== (this.lineEnd ?? endBefore));
    else if (this.held) this.hold(this.held, line);
    else if (END.test(line) || (this.nearEnd && NAMED_END.test(line))) this.end(line);
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

  /** Whether the next line may be a payer's text, which also follows an entry. */
  private isText(): boolean {
    const tag = this.open?.tag;
    return tag !== undefined && tag !== '20' && !HEAD.has(tag) && !this.nearEnd;
  }

  /** Also a payer can have written what looks like them. */
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
    this.nearEnd = tag !== '20' && (this.nearEnd || LAST_FIELDS.test(tag));
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

  /** The lines since the mark are text. */
  private resume(held: readonly string[]): void {
    this.held = undefined;
    for (const line of this.open ? held : []) this.add(this.open!, line);
  }

  private endHeld(): void {
    this.held = undefined;
    this.nearEnd = true;
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

  /** The rest of a message may have been lost on its way, unless its last fields are there. */
  private checkBlock(): void {
    if (this.block === undefined || this.nearEnd) return;
    this.warn('cut_off', `The message at line ${this.block} has no end: the file may be cut off.`);
  }
}
