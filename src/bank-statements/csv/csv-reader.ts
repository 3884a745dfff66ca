import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { BankAmount } from '../amount.js';
import type { BankDay } from '../bank-day.js';
import { counterparty, textOrNull, joinTexts, reference } from '../counterparty.js';
import { LIMITS } from '../limits.js';
import { lineKind } from '../line-kind.js';
import { quoted, refuse, said } from '../refused.js';
import { lineAmount, PieceQueue, StatementDraft } from '../statement-draft.js';
import {
  type LineStatus,
  NO_IDENTIFIERS,
  type StatementLine,
  type StatementPiece,
} from '../statement.js';
import type { Total } from '../total.js';
import { readCsvDay } from './csv-day.js';
import { numberPattern, readNumber } from './csv-number.js';
import { BalanceSuspicion } from './balance-suspicion.js';
import { type CsvProfile, plainSign } from './csv-profile.js';
import { comesAlong } from './csv-profiles.js';
import { checkWidth, CsvHeader, type CsvRow } from './csv-row.js';
import { RunningBalance } from './running-balance.js';
import { SignSuspicion } from './sign-suspicion.js';

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** A file may have been put together of several: each line ends as it likes. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

/**
 * Reads CSV as a profile says: one statement, of all rows that have a day.
 * @throws StatementRefusedError
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  profile: CsvProfile,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const reader = new CsvReader(profile, total);
  const parser = parse({
    delimiter: profile.delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: LINE_ENDS,
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
    refuse(`The CSV is broken: ${said(error.message)}.`);
  }
  reader.close();
  yield reader.pieces.take();
}

class CsvReader {
  readonly pieces = new PieceQueue();

  private readonly statement = new StatementDraft();
  private readonly balance = new RunningBalance();
  private readonly numbers: RegExp;
  /** How the bank means its columns was seen in its files, and not only said by who wrote the profile. */
  private readonly isKnown: boolean;
  /** Once it was found. */
  private header: CsvHeader | undefined;
  private before = 0;
  private withoutDay = 0;
  /** The first row whose day looks like one, and is none of the pattern. */
  private oddDay: CsvRow | undefined;
  /** The line of the first row that looks like a header of other columns. */
  private otherHeader: number | undefined;
  private balances: BalanceSuspicion | undefined;
  private signs: SignSuspicion | undefined;

  constructor(
    private readonly profile: CsvProfile,
    private readonly total: Total,
  ) {
    this.pieces.push({ type: 'format', format: 'csv' });
    this.statement.account = profile.ownAccount;
    this.statement.currency = profile.currency ?? null;
    this.numbers = numberPattern(profile);
    this.isKnown = comesAlong(profile);
  }

  add({ record, info }: CsvRecord): void {
    this.total.count('rows', info.lines);
    this.total.count('cells', info.lines, record.length);
    if (record.every((cell) => cell.trim() === '')) return;
    checkWidth(record, info.lines);
    if (!this.header) return this.begin(record, info.lines);
    const row = this.header.rowOf(record, info.lines);
    const bookedOn = readCsvDay(row.bookedOn ?? '', this.profile.date);
    if (!bookedOn) return this.passOver(row, this.header, record);
    if (this.otherHeader !== undefined) this.refuseOtherHeader(this.otherHeader);
    this.header.checkCells(record, info.lines);
    const mayBeMoved = this.header.mayBeMoved(record);
    this.pieces.push({ type: 'line', line: this.lineOf(row, bookedOn, mayBeMoved) });
    const { scaled } = this.amountOf(row);
    this.balances!.add(record, scaled);
    this.signs!.add(record, scaled, row.line);
  }

  /** Looks for the header. */
  private begin(record: readonly string[], line: number): void {
    this.header = CsvHeader.of(record, this.profile, line);
    if (!this.header && ++this.before > LIMITS.rowsBeforeHeader) this.refuseHeader();
    if (!this.header) return;
    const { amountColumns, unnamedColumns } = this.header;
    const numberOf = (text: string) => readNumber(text, this.numbers);
    this.balances = new BalanceSuspicion(amountColumns, unnamedColumns, numberOf);
    this.signs = new SignSuspicion(unnamedColumns);
  }

  close(): void {
    if (!this.header) this.refuseHeader();
    if (this.statement.entries === 0 && this.oddDay) this.refuseDay(this.oddDay);
    this.refuseBalances();
    this.refuseSign();
    const { opening, closing } = this.balance;
    this.statement.opening = opening;
    this.statement.closing = closing;
    const skipped = (count: number, where: string) => {
      if (count > 0) this.pieces.warn('rows_skipped', `${count} rows ${where} were passed over.`);
    };
    skipped(this.before, 'before the header');
    skipped(this.withoutDay, 'without a day');
    this.statement.isDoubtful = !this.balance.provesUnsure;
    if (!this.balance.isUnbroken) {
      this.pieces.warn('not_balanced', 'The balances of the rows do not follow from each other.');
    }
    this.statement.finish(this.pieces, 'Statement 0', 'csv', this.balance.isUnbroken);
  }

  private passOver(row: CsvRow, header: CsvHeader, record: readonly string[]): void {
    if (++this.withoutDay > LIMITS.rowsWithoutDay) {
      refuse(`Line ${row.line}: there are more than ${LIMITS.rowsWithoutDay} rows without a day.`);
    }
    // Rows of another header would be lost where they have their day in another column.
    if (this.otherHeader !== undefined && record.some((cell) => this.isDay(cell)))
      this.refuseOtherHeader(this.otherHeader);
    if (/^\s*\d/.test(row.bookedOn ?? '')) this.oddDay ??= row;
    else if (!header.isAgain(record) && header.looksLikeAnother(record, this.isNumber))
      this.otherHeader ??= row.line;
  }

  private isDay(text: string): boolean {
    return readCsvDay(text, this.profile.date) !== undefined;
  }

  private readonly isNumber = (text: string): boolean =>
    readNumber(text, this.numbers) !== undefined;

  /** What stands below other columns would be read as what it is not. */
  private refuseOtherHeader(line: number): never {
    refuse(
      `Line ${line}: another header stands here, and rows below it. Each file has one header.`,
    );
  }

  private refuseHeader(): never {
    const isLate = this.before > LIMITS.rowsBeforeHeader;
    const none = isLate ? `None of the first ${LIMITS.rowsBeforeHeader} rows` : 'No row';
    refuse(`${none} has all the columns that the profile ${quoted(this.profile.name)} names.`);
  }

  /** A file of which every row is passed over would say that nothing came. */
  private refuseDay({ line, bookedOn = '' }: CsvRow): never {
    refuse(`Line ${line}: ${quoted(bookedOn)} is no day such as ${this.profile.date}.`);
  }

  /** Amounts that were read out of the column of the balances would be money that never came. */
  private refuseBalances(): void {
    const column = this.balances?.column;
    if (column === undefined) return;
    const { amount, debit, credit } = this.profile.columns;
    const named = quoted(amount ?? `${debit}, ${credit}`);
    refuse(
      `The column ${named} holds balances: from row to row it changes by what stands in column ${column + 1}.`,
    );
  }

  /** Money that went out would be money that came. */
  private refuseSign(): void {
    const found = this.signs?.contradiction;
    if (!found) return;
    const where = `Line ${found.line}: ${quoted(found.word)} in column ${found.column + 1}`;
    refuse(
      `${where} says that money went out, and it is read as money that came. Name the column as "sign".`,
    );
  }

  private lineOf(row: CsvRow, bookedOn: BankDay, mayBeMoved: boolean): StatementLine {
    const { line } = row;
    const entry = this.statement.entries;
    const where = `Entry ${entry} at line ${line}`;
    const signed = this.amountOf(row);
    const amount = { ...signed, scaled: signed.scaled < 0n ? -signed.scaled : signed.scaled };
    const direction = signed.scaled < 0n ? 'out' : 'in';
    const status = this.statusOf(row);
    this.statement.count(amount, direction, status === 'booked');
    if (status === 'booked')
      this.balance.add(signed, this.balanceOf(row), bookedOn.day, mayBeMoved);
    const { usable, ...shown } = lineAmount(amount, this.pieces, where);
    const valuedOn = readCsvDay(row.valuedOn ?? '', this.profile.date);
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
      status,
      kind: lineKind({ ...traits, hasAmount: usable }),
      reversal: false,
      returned: false,
      ...(mayBeMoved || !this.isKnown ? { needsBalance: true as const } : {}),
      counterparty: counterparty(row),
      references: value === null ? [] : [{ value, type: null }],
      endToEndId: reference(row.endToEndId),
      bankReference,
      text: joinTexts(row.text),
      identifiers: { ...NO_IDENTIFIERS, entryBankReference: bankReference },
    };
  }

  /** What a row says about itself in any case of its letters. */
  private statusOf({ status = '' }: CsvRow): LineStatus {
    const own = status.toLowerCase();
    const isPending = this.profile.pending?.some((word) => own.includes(word.toLowerCase()));
    return isPending ? 'announced' : 'booked';
  }

  /** Negative when money went out, whichever sign a column of debits has. */
  private amountOf({ amount, debit, credit, currency, sign, line }: CsvRow): BankAmount {
    const own = textOrNull(currency) ?? this.profile.currency ?? null;
    if (this.profile.columns.amount !== undefined) {
      const scaled = this.decimal(amount ?? '', line);
      return {
        scaled: this.profile.sign ? this.signed(scaled, sign ?? '', line) : scaled,
        currency: own,
      };
    }
    const given = [debit, credit].map((text) => (text?.trim() ? this.decimal(text, line) : null));
    const [out, came] = given.map((each) => each ?? 0n) as [bigint, bigint];
    if ((out !== 0n && came !== 0n) || given.every((each) => each === null)) {
      refuse(`Line ${line}: it needs either a debit or a credit.`);
    }
    return { scaled: came === 0n ? (out < 0n ? out : -out) : came, currency: own };
  }

  /** What the column of the sign does not say for sure is no money that came. */
  private signed(scaled: bigint, sign: string, line: number): bigint {
    const { credit, debit } = this.profile.sign!;
    const is = (words: readonly string[]) =>
      words.some((word) => plainSign(word) === plainSign(sign));
    if (is(debit)) return scaled < 0n ? scaled : -scaled;
    if (!is(credit))
      refuse(`Line ${line}: the sign ${quoted(sign)} is neither a credit nor a debit.`);
    if (scaled < 0n) refuse(`Line ${line}: the amount is negative, and its sign says a credit.`);
    return scaled;
  }

  private balanceOf({ balance, line }: CsvRow): bigint | undefined {
    return balance?.trim() ? this.decimal(balance, line) : undefined;
  }

  private decimal(text: string, line: number): bigint {
    const scaled = readNumber(text, this.numbers);
    return scaled ?? refuse(`Line ${line}: the amount ${quoted(text)} is no decimal number.`);
  }
}
