import { readBankFile } from './read-bank-file.js';
import type { StatementFile } from './source.js';
import type { BankStatement, StatementLine, StatementWarning } from './statement.js';

export interface CollectedStatement extends BankStatement {
  readonly lines: readonly StatementLine[];
}

export interface CollectedFile {
  /** Formats of all files in an archive. */
  readonly formats: readonly string[];
  readonly statements: readonly CollectedStatement[];
  readonly warnings: readonly StatementWarning[];
}

/**
 * Reads a whole file into memory; only for small files.
 * @throws StatementRefusedError
 */
export async function collectBankFile(
  ...args: Parameters<typeof readBankFile>
): Promise<CollectedFile> {
  const formats = new Set<string>();
  const statements: CollectedStatement[] = [];
  const warnings: StatementWarning[] = [];
  let lines: StatementLine[] = [];
  for await (const pieces of readBankFile(...args)) {
    for (const piece of pieces) {
      if (piece.type === 'line') lines.push(piece.line);
      else if (piece.type === 'warning') warnings.push(piece.warning);
      else if (piece.type === 'format') formats.add(piece.format);
      else {
        statements.push({ ...piece.statement, lines });
        lines = [];
      }
    }
  }
  return { formats: [...formats], statements, warnings };
}

export const statementFile = (text: string): StatementFile => ({ bytes: Buffer.from(text) });
