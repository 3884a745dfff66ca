/** Line width; some banks include the tag in the width of the first line, which leaves 61 characters. */
const WIDTH = 65;
const FIRST_WIDTH = 61;
const TAG_LENGTH = 4;

/** Structured details that show that a bank writes all of them so: more than payers forge in a file. */
const STRUCTURED_MIN = 12;

/** Width in characters, UTF-16 units and UTF-8 bytes: the bank may count in any of them. */
type Widths = readonly [number, number, number];
const WAYS = [0, 1, 2] as const;

function widthsOf(text: string): Widths {
  const { length } = text;
  const bytes = Buffer.byteLength(text);
  return bytes === length ? [length, length, length] : [[...text].length, length, bytes];
}

/**
 * Detects whether a line that looks like the start of a field may be a payer's text wrapped by the bank. Banks that do
 * not escape line starts cannot be distinguished from banks that write a field.
 */
export class WrappedLines {
  /** Widest line of all details so far: the bank's lines are at least that wide. */
  private widest: Widths = [0, 0, 0];
  private last: { readonly line: string; readonly isFirst: boolean } | undefined;
  /** Structured details are wrapped anywhere, unstructured ones also between words. */
  private isPlain = false;
  /** Details so far that look structured; never enough once some do not, since a bank writes all details one way. */
  private structured = 0;

  /**
   * Records details (:86:). A payer can make a text look structured, so only many such details show that the bank writes
   * them.
   */
  note(lines: readonly string[], isPlain: boolean): void {
    if (isPlain) this.structured = Number.NEGATIVE_INFINITY;
    else this.structured += 1;
    this.isPlain = this.structured < STRUCTURED_MIN;
    for (const line of lines) {
      const [one, two, three] = widthsOf(line);
      const [first, second, third] = this.widest;
      this.widest = [Math.max(first, one), Math.max(second, two), Math.max(third, three)];
    }
    this.last = { line: lines.at(-1) ?? '', isFirst: lines.length === 1 };
  }

  /** Another field follows. If it may be text, the text may continue after its last line. */
  pass(line: string, mayBeText: boolean): void {
    this.last = mayBeText ? { line, isFirst: false } : undefined;
  }

  /** Whether the last details fill their line completely. */
  isCut(): boolean {
    const { last } = this;
    return last !== undefined && Math.max(...widthsOf(last.line)) >= FIRST_WIDTH;
  }

  /** Whether `next`, with its tag, may continue the text of the last details. */
  mayContinue(next: string): boolean {
    const { last } = this;
    if (!last) return false;
    const [widths, nextWidths] = [widthsOf(last.line), widthsOf(next)];
    const tag = last.isFirst ? TAG_LENGTH : 0;
    const isFull = WAYS.some(
      (way) => this.isFull(widths, way) && widths[way] + tag >= nextWidths[way],
    );
    return isFull || this.isWordCut(widths, next);
  }

  /** Whether a text `line` may have been wrapped before `next`. */
  isWrapped(line: string, next: string): boolean {
    const widths = widthsOf(line);
    return WAYS.some((way) => this.isFull(widths, way)) || this.isWordCut(widths, next);
  }

  private isFull(widths: Widths, way: (typeof WAYS)[number]): boolean {
    return widths[way] >= FIRST_WIDTH || widths[way] >= this.widest[way];
  }

  private isWordCut(widths: Widths, next: string): boolean {
    const end = next.indexOf(' ');
    const nextWidths = widthsOf(next);
    const words = end === -1 ? nextWidths : widthsOf(next.slice(0, end));
    return (
      this.isPlain &&
      WAYS.some((way) => {
        const widest = this.widest[way];
        const width = widest < nextWidths[way] ? WIDTH : Math.min(WIDTH, widest);
        return nextWidths[way] <= WIDTH && widths[way] + 1 + words[way] > width;
      })
    );
  }
}
