import { setImmediate } from 'node:timers/promises';
import { LEFT_MAX, releaseSpareMemory } from '../common/spare-memory.js';
import { LIMITS } from './limits.js';
import { refuse } from './refused.js';
import type { StatementPiece } from './statement.js';

/** Milliseconds of work before reading a large file yields to the event loop. */
const TURN_MS = 2;

const COUNTED = {
  xmlParts: 'elements, attributes, references and other parts of XML',
  mtLines: 'lines',
  rows: 'rows',
  cells: 'cells',
} as const;

/** Enforces the limits over all texts of a file. */
export class Total {
  private characters = 0;
  private released = 0;
  private readonly pieces = { line: 0, statement: 0, warning: 0, format: 0 };
  private readonly counts = { xmlParts: 0, mtLines: 0, rows: 0, cells: 0 };

  /** @throws StatementRefusedError above the limits */
  take(pieces: readonly StatementPiece[]): StatementPiece[] {
    const kept = pieces.filter(
      ({ type }) => ++this.pieces[type] <= LIMITS.warnings || type !== 'warning',
    );
    if (this.pieces.line > LIMITS.lines) refuse(`There are more than ${LIMITS.lines} entries.`);
    if (this.pieces.statement > LIMITS.statements) {
      refuse(`There are more than ${LIMITS.statements} statements.`);
    }
    return kept;
  }

  /**
   * Counts parts that cost time without being entries.
   * @throws StatementRefusedError above the limit
   */
  count(what: keyof typeof COUNTED, line: number, more = 1): void {
    this.counts[what] += more;
    if (this.counts[what] > LIMITS[what]) {
      refuse(`Line ${line}: there are more than ${LIMITS[what]} ${COUNTED[what]}.`);
    }
  }

  close(): StatementPiece[] {
    const more = this.pieces.warning - LIMITS.warnings;
    const warning = { code: 'more_warnings', detail: `There are ${more} more warnings.` };
    return more > 0 ? [{ type: 'warning', warning }] : [];
  }

  /** Passes text through, up to the limit, and yields to the event loop. */
  async *text(text: AsyncIterable<string>): AsyncGenerator<string> {
    let since = performance.now();
    for await (const chunk of text) {
      if (performance.now() - since > TURN_MS) {
        await setImmediate();
        since = performance.now();
      }
      this.characters += chunk.length;
      if (this.characters > LIMITS.textBytes) {
        refuse(`There are more than ${LIMITS.textBytes / 1e6} MB of text.`);
      }
      yield chunk;
      this.release();
    }
  }

  /** Frees memory every `LEFT_MAX` characters, since the process is not idle while it reads. */
  private release(): void {
    if (this.characters - this.released < LEFT_MAX) return;
    this.released = this.characters;
    releaseSpareMemory();
  }
}
