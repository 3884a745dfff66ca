/** The whole width of a line; with the tag before the first line of a field some banks count 61 in it. */
const WIDTH = 65;
const FIRST_WIDTH = 61;
const TAG_LENGTH = 4;

/**
 * Whether a line that looks like the start of a field may be a payer's text that its bank has wrapped there: a bank that
 * guards no starts of lines cannot be told from one that writes a field.
 */
export class WrappedLines {
  /** Of all details so far: the bank's lines are at least as wide. */
  private widest = 0;
  private last: { readonly line: string; readonly isFirst: boolean } | undefined;
  /** Fields with marks are cut anywhere, plain texts also between words. */
  private isPlain = false;

  /** What details (:86:) have come. */
  note(lines: readonly string[], isPlain: boolean): void {
    this.isPlain = isPlain;
    for (const line of lines) this.widest = Math.max(this.widest, line.length);
    this.last = { line: lines.at(-1) ?? '', isFirst: lines.length === 1 };
  }

  /** What comes now is behind another field: if that may be text, the text may go on behind its last line. */
  pass(line: string, mayBeText: boolean): void {
    this.last = mayBeText ? { line, isFirst: false } : undefined;
  }

  /** Whether the details that came last have no room left in their line. */
  isCut(): boolean {
    return this.last !== undefined && this.last.line.length >= FIRST_WIDTH;
  }

  /** Whether `next`, with its tag, may go on the text of the details that came last. */
  mayContinue(next: string): boolean {
    const { last } = this;
    if (!last) return false;
    const width = last.line.length + (last.isFirst ? TAG_LENGTH : 0);
    const isFull = this.isFull(last.line) && width >= next.length;
    return isFull || this.isWordCut(last.line, next);
  }

  /** Whether `line`, being text, may have been wrapped before `next`. */
  isWrapped(line: string, next: string): boolean {
    return this.isFull(line) || this.isWordCut(line, next);
  }

  private isFull({ length }: string): boolean {
    return length >= FIRST_WIDTH || length >= this.widest;
  }

  private isWordCut(line: string, next: string): boolean {
    const width = this.widest < next.length ? WIDTH : Math.min(WIDTH, this.widest);
    const end = next.indexOf(' ');
    const word = end === -1 ? next.length : end;
    return this.isPlain && next.length <= WIDTH && line.length + 1 + word > width;
  }
}
