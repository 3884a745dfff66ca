import { promisify } from 'node:util';
import { namedProfile } from '../bank-statements/csv/named-profile.js';
import { CSV_PROFILES } from '../bank-statements/csv/csv-profiles.js';
import { readBankFile } from '../bank-statements/read-bank-file.js';
import { lineJson, statementJson } from '../bank-statements/statement-json.js';
import type {
  BankStatement,
  StatementLine,
  StatementPiece,
  StatementWarning,
} from '../bank-statements/statement.js';
import { toMajorUnits } from '../common/money/money.js';
import type { Command } from './command.js';
import type { Input } from './options.js';
import { Spool } from './spool.js';
import { table } from './text.js';

const read: Command = {
  name: 'statement read',
  usage: `FILE [--profile ${CSV_PROFILES.map(({ name }) => name).join('|')}|FILE]`,
  help:
    'Reads a bank statement (camt.052, .053, .054, MT940, MT942, CSV by a profile; also in a gzip\n' +
    '      or ZIP file) and shows what it holds. It opens no database and stores nothing; what\n' +
    '      cannot be read is refused whole. docs/bank-statements.md has the rules and the profiles.',
  operands: ['FILE'],
  options: ['profile'],
  prepare: (options, json) => {
    const path = options.operand('FILE');
    const named = options.optional('profile', PROFILE);
    return async () => {
      const profile = named === undefined ? undefined : await namedProfile(named);
      const shown = json ? new JsonStatements() : new TextStatements();
      for await (const pieces of readBankFile({ path }, { profile }))
        for (const piece of pieces) shown.add(piece);
      await print(shown.parts());
      return undefined;
    };
  },
};

export const STATEMENT_COMMANDS: readonly Command[] = [read];

/** Writes the parts in order, until all are written or the reader closes the pipe, as with `| head`. */
async function print(parts: Iterable<string | Buffer>): Promise<void> {
  // Each write reports its own error.
  process.stdout.on('error', () => {});
  const write = promisify<string | Buffer, void>((part, done) => process.stdout.write(part, done));
  for (const part of parts) {
    const error = await write(part).catch((reason: NodeJS.ErrnoException) => reason);
    if (error?.code === 'EPIPE') return;
    if (error) throw error;
  }
}

export const PROFILE: Input<string> = {
  expects: 'a name or a file',
  parse: (text) => text || undefined,
};

const PART_LINES = 50;

interface SpooledStatement {
  readonly head: string;
  /** Position of its lines in the spool. */
  readonly from: number;
  readonly to: number;
}

/** One JSON object, printed only after the whole file was read. */
class JsonStatements {
  private readonly formats = new Set<string>();
  private readonly warnings: StatementWarning[] = [];
  private readonly spool = new Spool();
  private readonly done: SpooledStatement[] = [];
  private from = 0;
  private waiting: string[] = [];

  add(piece: StatementPiece): void {
    if (piece.type === 'format') this.formats.add(piece.format);
    else if (piece.type === 'warning') this.warnings.push(piece.warning);
    else if (piece.type === 'line') {
      this.waiting.push(JSON.stringify(lineJson(piece.line)));
      if (this.waiting.length === PART_LINES) this.flush();
    } else {
      this.flush();
      const head = JSON.stringify(statementJson(piece.statement)).slice(0, -1);
      this.done.push({ head, from: this.from, to: this.spool.length });
      this.from = this.spool.length;
    }
  }

  *parts(): Generator<string | Buffer> {
    yield `{"format":${JSON.stringify([...this.formats].join(', '))},"statements":[`;
    for (const [at, { head, from, to }] of this.done.entries()) {
      yield `${at === 0 ? '' : ','}${head},"lines":[`;
      yield* this.spool.read(from, to);
      yield ']}';
    }
    yield `],"warnings":${JSON.stringify(this.warnings)}}\n`;
  }

  private flush(): void {
    if (this.waiting.length === 0) return;
    const comma = this.spool.length === this.from ? '' : ',';
    this.spool.write(comma + this.waiting.join(','));
    this.waiting = [];
  }
}

/** A table with a row per statement. */
class TextStatements {
  private readonly formats = new Set<string>();
  private readonly warnings: string[] = [];
  private readonly rows: string[][] = [];
  private lines = { in: 0, payments: 0, out: 0 };

  add(piece: StatementPiece): void {
    if (piece.type === 'format') this.formats.add(piece.format);
    else if (piece.type === 'warning') this.warnings.push(piece.warning.detail);
    else if (piece.type === 'line') this.count(piece.line);
    else this.row(piece.statement);
  }

  *parts(): Generator<string> {
    yield `${[...this.formats].join(', ')}\n${table(STATEMENT_COLUMNS, this.rows)}\n`;
    if (this.warnings.length > 0) yield `\n${this.warnings.join('\n')}\n`;
  }

  private count({ direction, kind, status }: StatementLine): void {
    this.lines[direction] += 1;
    if (direction === 'in' && kind === 'payment' && status === 'booked') this.lines.payments += 1;
  }

  private row(statement: BankStatement): void {
    const { account, id, currency, balanced } = statement;
    const money = (amount: bigint | null) =>
      amount === null || currency === null ? '-' : `${toMajorUnits(amount, currency)} ${currency}`;
    const { in: came, payments, out } = this.lines;
    this.rows.push([
      account ?? '-',
      id ?? '-',
      `${came} (${payments})`,
      String(out),
      money(statement.openingBalance),
      money(statement.closingBalance),
      balanced === null ? '-' : balanced ? 'yes' : 'no',
    ]);
    this.lines = { in: 0, payments: 0, out: 0 };
  }
}

const STATEMENT_COLUMNS = [
  'account',
  'statement',
  'in (payments)',
  'out',
  'opening',
  'closing',
  'balanced',
];
