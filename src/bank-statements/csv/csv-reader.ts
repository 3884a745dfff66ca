import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type BankAmount, scaledOf } from '../amount.js';
import { type BankDay, bankDay } from '../bank-day.js';
import { counterparty, textOrNull, joinTexts, reference } from '../counterparty.js';
import { LIMITS } from '../limits.js';
import { lineKind } from '../line-kind.js';
import { quoted, refuse } from '../refused.js';
import { lineAmount, PieceQueue, StatementDraft } from '../statement-draft.js';
import { NO_IDENTIFIERS, type StatementLine, type StatementPiece } from '../statement.js';
import type { CsvColumns, CsvProfile } from './csv-profile.js';
import { RunningBalance } from './running-balance.js';

type Row = Readonly<Partial<Record<Exclude<keyof CsvColumns, 'text'>, string>>> & {
  readonly text: readonly string[];
  /** The line of the file, from 1. */
  readonly line: number;
};

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const COLUMN_MAX = 200;

/**
 * Reads CSV as a profile says: one statement, of all rows that have a day.
 * @throws StatementRefusedError
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  profile: CsvProfile,
): AsyncGenerator<StatementPiece[]> {
  const reader = new CsvReader(profile);
  const parser = parse({
    delimiter: profile.delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LIMITS.text * 4,
  });
  pipeline(Readable.from(text), parser, () => {});
  try {
    for await (const record of parser) {
      reader.add(record as CsvRecord);
      const pieces = reader.pieces.take();
      if (pieces.length > 0) yield pieces;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    refuse(`The CSV is broken: ${error.message.replace(/\.$/, '')}.`);
  }
  reader.close();
  yield reader.pieces.take();
}

class CsvReader {
  readonly pieces = new PieceQueue();

  private readonly statement = new StatementDraft();
  private readonly balance = new RunningBalance();
  /** The place of each column, once the header was found. */
  private header: ReadonlyMap<string, number> | undefined;
  private before = 0;
  private withoutDay = 0;

  constructor(private readonly profile: CsvProfile) {
    this.pieces.push({ type: 'format', format: 'csv' });
    this.statement.account = profile.ownAccount;
    this.statement.currency = profile.currency ?? null;
  }

  add({ record, info }: CsvRecord): void {
    if (record.every((cell) => cell.trim() === '')) return;
    if (record.length > COLUMN_MAX)
      refuse(`Line ${info.lines}: there are more than ${COLUMN_MAX} columns.`);
    if (!this.header) {
      this.header = headerOf(record, this.profile.columns);
      this.before += this.header ? 0 : 1;
      return;
    }
    const row = rowOf(record, info.lines, this.header, this.profile.columns);
    const bookedOn = readPattern(row.bookedOn ?? '', this.profile.date);
    if (bookedOn) this.pieces.push({ type: 'line', line: this.lineOf(row, bookedOn) });
    else this.withoutDay += 1;
  }

  close(): void {
    if (!this.header) {
      refuse(`No row has all the columns that the profile ${quoted(this.profile.name)} names.`);
    }
    const { opening, closing } = this.balance;
    this.statement.opening = opening;
    this.statement.closing = closing;
    const skipped = (count: number, where: string) => {
      if (count > 0) this.pieces.warn('rows_skipped', `${count} rows ${where} were passed over.`);
    };
    skipped(this.before, 'before the header');
    skipped(this.withoutDay, 'without a day');
    if (!this.balance.isUnbroken) {
      this.pieces.warn('not_balanced', 'The balances of the rows do not follow from each other.');
    }
    this.statement.finish(this.pieces, 'Statement 0', 'csv');
  }

  private lineOf(row: Row, bookedOn: BankDay): StatementLine {
    const { line } = row;
    const entry = this.statement.entries;
    const where = `Entry ${entry} at line ${line}`;
    const signed = this.amountOf(row);
    const amount = { ...signed, scaled: signed.scaled < 0n ? -signed.scaled : signed.scaled };
    const direction = signed.scaled < 0n ? 'out' : 'in';
    this.statement.count(amount, direction, true);
    if (row.balance) this.balance.add(signed, this.decimal(row.balance, line));
    const { usable, ...shown } = lineAmount(amount, this.pieces, where);
    const valuedOn = readPattern(row.valuedOn ?? '', this.profile.date);
    const bankReference = reference(row.bankReference);
    const traits = { returned: false, reversal: false, collection: false, batchTotal: false };
    const value = reference(row.reference);
    return {
      entry,
      detail: 0,
      bookedOn: this.pieces.day(bookedOn, where),
      valuedOn: valuedOn ? this.pieces.day(valuedOn, where) : null,
      ...shown,
      direction,
      status: 'booked',
      kind: lineKind({ ...traits, hasAmount: usable }),
      reversal: false,
      returned: false,
      counterparty: counterparty(row),
      references: value === null ? [] : [{ value, type: null }],
      endToEndId: reference(row.endToEndId),
      bankReference,
      text: joinTexts(row.text),
      identifiers: { ...NO_IDENTIFIERS, entryBankReference: bankReference },
    };
  }

  /** Negative when money went out, whichever sign a column of debits has. */
  private amountOf({ amount, debit, credit, currency, line }: Row): BankAmount {
    const own = textOrNull(currency) ?? this.profile.currency ?? null;
    if (this.profile.columns.amount !== undefined) {
      return { scaled: this.decimal(amount ?? '', line), currency: own };
    }
    const [out, came] = [textOrNull(debit), textOrNull(credit)].map((text) =>
      text === null ? 0n : this.decimal(text, line),
    ) as [bigint, bigint];
    if ((out === 0n) === (came === 0n)) {
      refuse(`Line ${line}: it needs either a debit or a credit.`);
    }
    return { scaled: came === 0n ? (out < 0n ? out : -out) : came, currency: own };
  }

  private decimal(text: string, line: number): bigint {
    const { group, decimal } = this.profile;
    const plain = text.replace(/[\s\u00a0]/g, '');
    const match = /^([+-]?)([^+-]+)([+-]?)$/.exec(plain.replace('−', '-'));
    const digits = (group.trim() ? match?.[2]?.replaceAll(group, '') : match?.[2]) ?? '';
    const isOther = decimal === ',' && digits.includes('.');
    const scaled = isOther ? undefined : scaledOf(digits.replace(decimal, '.'));
    if (scaled === undefined || (match?.[1] && match[3])) {
      refuse(`Line ${line}: the amount ${quoted(text)} is no decimal number.`);
    }
    return match?.[1] === '-' || match?.[3] === '-' ? -scaled : scaled;
  }
}

const namesOf = ({ text, ...others }: CsvColumns): string[] => [...Object.values(others), ...text];

/** The first row with all the names that the profile has. */
function headerOf(record: readonly string[], columns: CsvColumns): Map<string, number> | undefined {
  const places = new Map(record.map((cell, at) => [cell.trim(), at] as const).toReversed());
  return namesOf(columns).every((name) => places.has(name)) ? places : undefined;
}

function rowOf(
  record: readonly string[],
  line: number,
  header: ReadonlyMap<string, number>,
  { text, ...others }: CsvColumns,
): Row {
  const cell = (name: string): string => {
    const found = record[header.get(name)!] ?? '';
    return found.length > LIMITS.text
      ? refuse(`Line ${line}: a text is longer than ${LIMITS.text} characters.`)
      : found;
  };
  const cells = Object.entries(others).map(([field, name]) => [field, cell(name)] as const);
  return { ...Object.fromEntries(cells), text: text.map(cell), line };
}

/** A day in a pattern such as `DD.MM.YYYY`; undefined for a text that is none. */
function readPattern(text: string, pattern: string): BankDay | undefined {
  const source = pattern
    .replace(/[./ -]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<year>\\d{2})')
    .replace('MM', '(?<month>\\d{1,2})')
    .replace('DD', '(?<day>\\d{1,2})');
  const found = new RegExp(`^${source}(?!\\d)`).exec(text.trim())?.groups;
  if (!found) return undefined;
  const year = Number(found.year);
  return bankDay(year < 100 ? 2000 + year : year, Number(found.month), Number(found.day));
}
