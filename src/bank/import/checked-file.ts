import { readBankFile, type ReadOptions } from '../../bank-statements/read-bank-file.js';
import { refuse } from '../../bank-statements/refused.js';
import type { StatementFile } from '../../bank-statements/source.js';
import type {
  BankStatement,
  StatementLine,
  StatementWarning,
} from '../../bank-statements/statement.js';
import { dayOf } from '../recognition/line-key.js';
import { isCsv } from '../recognition/incoming-line.js';
import { RepeatedStatements } from '../recognition/repeated-statements.js';
import { SharedReferences } from '../recognition/shared-references.js';
import { mayBeMisread } from './misread-days.js';

/** Statement header; its file has it after the lines. */
export interface StatementHead extends BankStatement, BookedDays {
  readonly account: string;
  readonly lines: number;
  /** Of the whole file. */
  readonly shared: SharedReferences;
  /** Earlier statements that this one repeats; filled while its lines are recognised. */
  readonly repeated: RepeatedStatements;
  /** As `StoringStatement.reread`. */
  readonly reread?: ReadonlySet<string> | 'all';
}

/** First and last booking day (`YYYY-MM-DD`); null if there is none, or one is unknown. */
interface BookedDays {
  readonly bookedFrom: string | null;
  readonly bookedUntil: string | null;
}

/** A file that was read to its end without errors. */
export interface CheckedFile {
  /** Formats of all files of an archive, joined. */
  readonly format: string;
  readonly statements: readonly StatementHead[];
  readonly warnings: readonly StatementWarning[];
}

/** @throws StatementRefusedError */
export async function checkFile(
  file: StatementFile,
  options: ReadOptions,
  now: Date,
): Promise<CheckedFile> {
  const formats = new Set<string>();
  const statements: StatementHead[] = [];
  const warnings: StatementWarning[] = [];
  const shared = new SharedReferences();
  let lines = 0;
  let days = new Set<string>();
  for await (const pieces of readBankFile(file, options)) {
    for (const piece of pieces) {
      if (piece.type === 'line') {
        lines += 1;
        shared.add(piece.line);
        if (isBooked(piece.line)) days.add(dayOf(piece.line));
      } else if (piece.type === 'warning') warnings.push(piece.warning);
      else if (piece.type === 'format') formats.add(piece.format);
      else {
        const { statement } = piece;
        const { account } = statement;
        if (account === null)
          refuse(`Statement ${statements.length} does not say of which account it is.`);
        const pattern = isCsv(statement.format) ? options.profile?.date : undefined;
        const isMisread = pattern !== undefined && mayBeMisread(days, pattern, now);
        if (isMisread) warnings.push(doubtfulDays(statements.length, pattern));
        const balanced = isMisread ? null : statement.balanced;
        const repeated = new RepeatedStatements();
        const ofLines = { ...bookedDays(days), lines, shared, repeated };
        statements.push({ ...statement, balanced, account, ...ofLines });
        shared.endStatement(piece.statement.format);
        lines = 0;
        days = new Set();
      }
    }
  }
  return { format: [...formats].join(', '), statements, warnings };
}

const isBooked = ({ status }: StatementLine): boolean => status === 'booked';

function bookedDays(days: ReadonlySet<string>): BookedDays {
  const all = days.has('') ? [] : [...days].toSorted();
  return { bookedFrom: all[0] ?? null, bookedUntil: all.at(-1) ?? null };
}

const doubtfulDays = (n: number, pattern: string): StatementWarning => ({
  code: 'doubtful_days',
  detail: `Statement ${n}: with day, month or year exchanged, its last day would be nearer to today. Check the profile’s pattern ${pattern}.`,
});
