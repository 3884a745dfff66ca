import { readBankFile, type ReadOptions } from '../bank-statements/read-bank-file.js';
import { refuse } from '../bank-statements/refused.js';
import type { StatementFile } from '../bank-statements/source.js';
import type { BankStatement, StatementWarning } from '../bank-statements/statement.js';

/** The head of a statement, which its file has behind the lines. */
export interface StatementHead extends BankStatement {
  readonly account: string;
  readonly lines: number;
}

/** A file that was read to its end without a fault. */
export interface CheckedFile {
  /** Those of all files of an archive, joined. */
  readonly format: string;
  readonly statements: readonly StatementHead[];
  readonly warnings: readonly StatementWarning[];
}

/** @throws StatementRefusedError */
export async function checkFile(file: StatementFile, options: ReadOptions): Promise<CheckedFile> {
  const formats = new Set<string>();
  const statements: StatementHead[] = [];
  const warnings: StatementWarning[] = [];
  let lines = 0;
  for await (const pieces of readBankFile(file, options)) {
    for (const piece of pieces) {
      if (piece.type === 'line') lines += 1;
      else if (piece.type === 'warning') warnings.push(piece.warning);
      else if (piece.type === 'format') formats.add(piece.format);
      else {
        const { account } = piece.statement;
        if (account === null)
          refuse(`Statement ${statements.length} does not say of which account it is.`);
        statements.push({ ...piece.statement, account, lines });
        lines = 0;
      }
    }
  }
  return { format: [...formats].join(', '), statements, warnings };
}
