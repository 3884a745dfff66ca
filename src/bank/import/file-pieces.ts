import { readBankFile, type ReadOptions } from '../../bank-statements/read-bank-file.js';
import type { StatementFile } from '../../bank-statements/source.js';
import type { StatementLine } from '../../bank-statements/statement.js';

/** Characters per piece; 500 lines of a bank have about 100,000. */
const TEXT_MAX = 1_000_000;

interface FilePiece {
  /** Number of the statement in the file, from 0. */
  readonly number: number;
  readonly lines: readonly StatementLine[];
  readonly isLast: boolean;
  /** The only piece of the statement. */
  readonly isWhole: boolean;
}

/**
 * Splits statements into pieces of whole entries. The last piece of a statement may be empty.
 * @param linesMax lines per piece, unless a single entry has more
 */
export async function* piecesOf(
  file: StatementFile,
  options: ReadOptions,
  linesMax: number,
): AsyncGenerator<FilePiece> {
  let number = 0;
  let lines: StatementLine[] = [];
  let characters = 0;
  let isWhole = true;
  for await (const pieces of readBankFile(file, options)) {
    for (const piece of pieces) {
      if (piece.type === 'statement') {
        yield { number, lines, isLast: true, isWhole };
        number += 1;
        lines = [];
        characters = 0;
        isWhole = true;
      } else if (piece.type === 'line') {
        const isFull = lines.length >= linesMax || characters >= TEXT_MAX;
        if (isFull && lines.at(-1)!.entry !== piece.line.entry) {
          isWhole = false;
          yield { number, lines, isLast: false, isWhole };
          lines = [];
          characters = 0;
        }
        lines.push(piece.line);
        characters += lengthOf(piece.line);
      }
    }
  }
}

/** Length of the texts that can be long. */
const lengthOf = ({ text, references }: StatementLine): number =>
  references.reduce((length, { value }) => length + value.length, text?.length ?? 0);
