import { readBankFile, type ReadOptions } from '../../bank-statements/read-bank-file.js';
import type { StatementFile } from '../../bank-statements/source.js';

/** Summary of a file before it is imported. */
export interface FilePreview {
  readonly format: string;
  readonly statements: readonly PreviewedStatement[];
  /** Number of statements that are not listed. */
  readonly more: number;
  readonly lines: number;
  /** Booked incoming payments. */
  readonly payments: number;
  readonly warnings: readonly string[];
}

export interface PreviewedStatement {
  readonly account: string | null;
  readonly id: string | null;
  readonly lines: number;
  readonly payments: number;
  /** Whether the entries lead from the opening to the closing balance; null if one is missing. */
  readonly balanced: boolean | null;
}

const STATEMENTS_MAX = 50;
const WARNINGS_MAX = 20;

/** @throws StatementRefusedError */
export async function previewFile(file: StatementFile, options: ReadOptions): Promise<FilePreview> {
  const formats = new Set<string>();
  const statements: PreviewedStatement[] = [];
  const warnings: string[] = [];
  const all = { lines: 0, payments: 0, statements: 0 };
  let here = { lines: 0, payments: 0 };
  for await (const pieces of readBankFile(file, options)) {
    for (const piece of pieces) {
      if (piece.type === 'format') formats.add(piece.format);
      else if (piece.type === 'warning') warnings.push(piece.warning.detail);
      else if (piece.type === 'line') {
        const { direction, kind, status } = piece.line;
        here.lines += 1;
        if (direction === 'in' && kind === 'payment' && status === 'booked') here.payments += 1;
      } else {
        const { account, id, balanced } = piece.statement;
        if (statements.length < STATEMENTS_MAX) statements.push({ account, id, balanced, ...here });
        all.lines += here.lines;
        all.payments += here.payments;
        all.statements += 1;
        here = { lines: 0, payments: 0 };
      }
    }
  }
  return {
    format: [...formats].join(', '),
    statements,
    more: all.statements - statements.length,
    lines: all.lines,
    payments: all.payments,
    warnings: warnings.slice(0, WARNINGS_MAX),
  };
}
