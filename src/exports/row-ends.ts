import { Transform, type TransformCallback } from 'node:stream';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Counts the rows of a CSV file and converts their line endings; line breaks in cells stay. */
export class RowEnds extends Transform {
  rows = 0;
  private isQuoted = false;

  constructor(private readonly lineEnd: '\n' | '\r\n') {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const ends = this.endsIn(chunk);
    this.rows += ends.length;
    done(null, this.lineEnd === '\n' ? chunk : withReturns(chunk, ends));
  }

  /** Positions of line feeds between rows. Quotes within a cell come in pairs. */
  private endsIn(chunk: Buffer): number[] {
    const ends: number[] = [];
    let quote = chunk.indexOf(QUOTE);
    const passQuotes = (end: number): void => {
      for (; quote >= 0 && quote < end; quote = chunk.indexOf(QUOTE, quote + 1)) {
        this.isQuoted = !this.isQuoted;
      }
    };
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, end + 1)) {
      passQuotes(end);
      if (!this.isQuoted) ends.push(end);
    }
    passQuotes(chunk.length);
    return ends;
  }
}

/** A single copy without strings, to produce little garbage per chunk. */
function withReturns(chunk: Buffer, ends: readonly number[]): Buffer {
  const result = Buffer.allocUnsafeSlow(chunk.length + ends.length);
  let from = 0;
  let to = 0;
  for (const end of ends) {
    to += chunk.copy(result, to, from, end);
    result[to++] = CARRIAGE_RETURN;
    from = end;
  }
  chunk.copy(result, to, from);
  return result;
}
