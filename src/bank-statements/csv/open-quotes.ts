import { parse } from 'csv-parse/sync';
import { LoopTurns } from '../../common/loop-turns.js';
import { LIMITS } from '../limits.js';
import { refuse } from '../refused.js';
import type { CsvProfile } from './csv-profile.js';
import { CsvHeader } from './csv-row.js';

const LINE_END = /\r\n|\n|\r(?!$)/;
/** Maximum characters of a record, and of a line. */
const LENGTH_MAX = LIMITS.text * 4;
/** Maximum lines inside quotes, and of one output chunk, since each line may be a record. */
const LINES_MAX = 250;

/**
 * Converts quotes that enclose whole rows, or are not closed, to text. If the bank writes no quotes, a quote at the
 * start of a payer's text would hide the rows below it.
 */
export class OpenQuotes {
  /** Line, from 1, of the first quote that was converted to text. */
  firstLine: number | undefined;

  private header: CsvHeader | undefined;
  private number = 0;
  /** Lines since an unclosed quote, and their number of characters. */
  private held: string[] = [];
  private length = 0;

  constructor(private readonly profile: CsvProfile) {}

  async *closed(text: AsyncIterable<string>): AsyncGenerator<string> {
    const turns = new LoopTurns();
    let rest = '';
    for await (const chunk of text) {
      const lines = (rest + chunk).split(LINE_END);
      rest = lines.pop()!;
      if (rest.length > LENGTH_MAX)
        refuse(`The CSV is broken: a line is longer than ${LENGTH_MAX} characters.`);
      for (let at = 0; at < lines.length; at += LINES_MAX) {
        const closed = lines.slice(at, at + LINES_MAX).flatMap((line) => this.take(line));
        if (closed.length > 0) yield `${closed.join('\n')}\n`;
        await turns.pause();
      }
    }
    yield [...this.take(rest.replace(/\r$/, '')), ...this.asText()].join('\n');
  }

  /** @returns the lines of the records that end with this line */
  private take(line: string): string[] {
    this.number += 1;
    this.length += line.length;
    const isLong = this.length > LENGTH_MAX || this.held.length >= LINES_MAX;
    const isUnclosed = this.held.length > 0 && (isLong || this.isRow(line));
    const before = isUnclosed ? this.asText() : [];
    this.held.push(line);
    if (endsOpen(line, this.profile.delimiter, this.held.length > 1)) return before;
    this.findHeader(line);
    return [...before, ...this.release()];
  }

  private release(): string[] {
    const { held } = this;
    this.held = [];
    this.length = 0;
    return held;
  }

  /** Makes each held line a record whose cells contain its quotes as text. */
  private asText(): string[] {
    const held = this.release();
    if (held.length === 0) return held;
    this.firstLine ??= this.number - held.length;
    const { delimiter } = this.profile;
    return held.map((line) =>
      line
        .split(delimiter)
        .map((cell) => `"${cell.replaceAll('"', '""')}"`)
        .join(delimiter),
    );
  }

  private isRow(line: string): boolean {
    const cells = line.split(this.profile.delimiter);
    return this.header?.isRow(cells.map((cell) => cell.replaceAll('"', ''))) ?? false;
  }

  private findHeader(line: string): void {
    if (this.header || this.held.length > 1 || this.number > LIMITS.rowsBeforeHeader) return;
    const [record = []] = parse(line, { delimiter: this.profile.delimiter, relax_quotes: true });
    this.header = CsvHeader.of(record, this.profile, this.number);
  }
}

/** Whether a quote is open after the line: as in `csv-parse`, from the start of a cell to the next undoubled quote. */
function endsOpen(line: string, delimiter: string, wasOpen: boolean): boolean {
  let isOpen = wasOpen;
  let at = 0;
  while (at < line.length || (isOpen && at === line.length)) {
    if (!isOpen && line[at] === '"') {
      isOpen = true;
      at += 1;
    }
    if (isOpen) {
      const end = line.indexOf('"', at);
      if (end === -1) return true;
      at = end + 2;
      if (line[end + 1] === '"') continue;
      isOpen = false;
      at = end + 1;
    }
    const next = line.indexOf(delimiter, at);
    if (next === -1) return false;
    at = next + 1;
  }
  return isOpen;
}
