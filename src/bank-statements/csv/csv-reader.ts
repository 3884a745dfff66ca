import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { BankDay } from '../bank-day.js';
import { counterparty, joinTexts, reference } from '../counterparty.js';
import { currencyExponent } from '../../common/money/currencies.js';
import { LIMITS } from '../limits.js';
import { lineKind } from '../line-kind.js';
import { quoted, refuse, said, StatementRefusedError } from '../refused.js';
import { lineAmount, PieceQueue, type RowProof, StatementDraft } from '../statement-draft.js';
import {
  type Counterparty,
  type LineStatus,
  NO_IDENTIFIERS,
  type StatementLine,
  type StatementPiece,
} from '../statement.js';
import type { Total } from '../total.js';
import { readCsvDay } from './csv-day.js';
import type { CsvProfile } from './csv-profile.js';
import { checkWidth, CsvHeader, type CsvRow } from './csv-row.js';
import { OpenQuotes } from './open-quotes.js';
import { RowMoney } from './row-money.js';
import { RunningBalance } from './running-balance.js';
import { UnusedCurrencies } from './unused-currencies.js';

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Concatenated files may mix line ends. */
const LINE_ENDS = ['\r\n', '\n', '\r'];

/**
 * Reads CSV by a profile: one statement with all rows that have a booking date.
 * @throws StatementRefusedError
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  profile: CsvProfile,
  total: Total,
): AsyncGenerator<StatementPiece[]> {
  const reader = new CsvReader(profile, total);
  const quotes = new OpenQuotes(profile);
  const parser = parse({
    delimiter: profile.delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: LINE_ENDS,
    max_record_size: LIMITS.text * 4,
  });
  pipeline(Readable.from(quotes.closed(text)), parser, () => {});
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
  if (quotes.firstLine !== undefined) reader.markDoubtfulQuotes(quotes.firstLine);
  reader.close();
  yield reader.pieces.take();
}

class CsvReader {
  readonly pieces = new PieceQueue();

  private readonly statement = new StatementDraft();
  private readonly balance = new RunningBalance();
  private readonly money: RowMoney;
  /** Whether the currency of any row has minor units. */
  private hasMinorUnits = false;
  /** Whether any row with a balance has decimals. */
  private hasDecimals = false;
  private header: CsvHeader | undefined;
  private currencies: UnusedCurrencies | undefined;
  private before = 0;
  private withoutDay = 0;
  /** First row whose booking date begins with a digit, but does not match the pattern. */
  private invalidDateRow: CsvRow | undefined;
  /** Error of the first unreadable row. */
  private unreadable: StatementRefusedError | undefined;

  constructor(
    private readonly profile: CsvProfile,
    private readonly total: Total,
  ) {
    this.pieces.push({ type: 'format', format: 'csv' });
    this.statement.account = profile.ownAccount;
    this.statement.currency = profile.currency ?? null;
    this.money = new RowMoney(profile);
  }

  add({ record, info }: CsvRecord): void {
    this.total.count('rows', info.lines);
    this.total.count('cells', info.lines, record.length);
    const isBlank = record.every((cell) => cell.trim() === '');
    // Below the header row, blank cells may be the rest of a broken row.
    if (isBlank && (!this.header || record.length === 1)) return;
    if (!this.header) return this.begin(record, info.lines);
    try {
      this.addRow(this.header, record, info.lines);
    } catch (error) {
      if (!(error instanceof StatementRefusedError)) throw error;
      this.skip(error);
    }
    if (this.withoutDay > LIMITS.rowsWithoutDay)
      refuse(
        `Line ${info.lines}: there are more than ${LIMITS.rowsWithoutDay} rows without a day.`,
      );
  }

  private addRow(header: CsvHeader, record: readonly string[], line: number): void {
    header.checkQuotes(record, line);
    const row = header.rowOf(record, line);
    const bookedOn = readCsvDay(row.bookedOn ?? '', this.profile.date);
    if (!bookedOn) return this.skipUndatedRow(row, header, record);
    header.checkCells(record, line);
    this.currencies?.add(record, this.statement.entries);
    const read = this.lineOf(row, bookedOn, header.mayBeShifted(record));
    this.pieces.push({ type: 'line', line: read });
  }

  /** Skips a row, which a payer may have broken, with a warning. The statement is then not balanced. */
  private skip(error: StatementRefusedError): void {
    this.unreadable ??= error;
    this.statement.isIncomplete = true;
    this.balance.addGap();
    this.pieces.warn('entry_skipped', error.message);
  }

  /** Marks the statement as incomplete: a payer wrote a quote, or the file is cut off, so rows may be misread. */
  markDoubtfulQuotes(line: number): void {
    this.statement.isIncomplete = true;
    const detail = `Line ${line}: a quote that is not closed, or holds a row, was taken for text.`;
    this.pieces.warn('doubtful_entries', detail);
  }

  /** Looks for the header row. */
  private begin(record: readonly string[], line: number): void {
    checkWidth(record, line);
    this.header = CsvHeader.of(record, this.profile, line);
    if (!this.header && ++this.before > LIMITS.rowsBeforeHeader) this.refuseHeader();
    const { currency, columns } = this.profile;
    if (this.header && currency !== undefined && columns.currency === undefined)
      this.currencies = new UnusedCurrencies(currency, this.header.unused);
  }

  close(): void {
    if (!this.header) this.refuseHeader();
    if (this.statement.entries === 0 && this.invalidDateRow) this.refuseDay(this.invalidDateRow);
    if (this.statement.entries === 0 && this.unreadable) throw this.unreadable;
    const { opening, closing } = this.balance;
    this.statement.opening = opening;
    this.statement.closing = closing;
    const skipped = (count: number, where: string) => {
      if (count > 0) this.pieces.warn('rows_skipped', `${count} rows ${where} were passed over.`);
    };
    skipped(this.before, 'before the header');
    skipped(this.withoutDay, 'without a day');
    this.statement.finish(this.pieces, 'Statement 0', 'csv', this.proof());
  }

  private proof(): RowProof {
    const { isOrderUnknown, proof } = this.balance;
    const warn = (code: string, detail: string) => this.pieces.warn(code, detail);
    if (!proof.isUnbroken)
      warn('not_balanced', 'The balances of the rows do not follow from each other.');
    if (isOrderUnknown)
      warn('order_unknown', 'Neither days nor balances show which row is the oldest.');
    const others = this.currencies?.found ?? [];
    for (const { name } of others)
      warn('another_currency', `Rows have another currency in the column ${quoted(name)}.`);
    if (proof.unproven === 'all') return proof;
    const unproven = new Set([...proof.unproven, ...others.flatMap((column) => column.others)]);
    if (!this.hasMinorUnits || this.hasDecimals) return { ...proof, unproven };
    // Balances also fit if all values are in cents, and each would be read as a hundred times its value.
    warn('no_decimals', 'No amount and no balance has decimals: they may be in cents.');
    return { ...proof, unproven: 'all' };
  }

  private skipUndatedRow(row: CsvRow, header: CsvHeader, record: readonly string[]): void {
    this.balance.addGap();
    this.withoutDay += 1;
    if (/^\s*\d/.test(row.bookedOn ?? '')) this.invalidDateRow ??= row;
    else if (!header.isRepeatedHeader(record) && this.mayHideRow(header, record))
      refuse(`Line ${row.line}: the row has no day in its place.`);
  }

  private mayHideRow(header: CsvHeader, record: readonly string[]): boolean {
    const hasDay = record.some((cell) => readCsvDay(cell, this.profile.date) !== undefined);
    return hasDay || header.looksLikeOtherHeader(record, this.isNumber);
  }

  private readonly isNumber = (text: string): boolean => this.money.numberIn(text) !== undefined;

  private refuseHeader(): never {
    const isLate = this.before > LIMITS.rowsBeforeHeader;
    const none = isLate ? `None of the first ${LIMITS.rowsBeforeHeader} rows` : 'No row';
    refuse(`${none} has all the columns that the profile ${quoted(this.profile.name)} names.`);
  }

  /** A file with all rows skipped would look like a file without payments. */
  private refuseDay({ line, bookedOn = '' }: CsvRow): never {
    refuse(`Line ${line}: ${quoted(bookedOn)} is no day such as ${this.profile.date}.`);
  }

  private lineOf(row: CsvRow, bookedOn: BankDay, mayBeShifted: boolean): StatementLine {
    const { line } = row;
    const entry = this.statement.entries;
    const where = `Entry ${entry} at line ${line}`;
    const signed = this.money.amountOf(row);
    const amount = { ...signed, scaled: signed.scaled < 0n ? -signed.scaled : signed.scaled };
    const direction = signed.scaled < 0n ? 'out' : 'in';
    const balance = this.money.balanceOf(row);
    const status = this.statusOf(row);
    this.statement.count(amount, direction, status === 'booked');
    if (status === 'booked') this.balance.add(signed, balance, { day: bookedOn.day, at: entry });
    else this.balance.addGap(entry);
    this.hasMinorUnits ||= amount.currency !== null && (currencyExponent(amount.currency) ?? 0) > 0;
    this.hasDecimals ||= balance !== undefined && this.money.hasDecimals(row);
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
      ...(mayBeShifted ? { mayBeShifted } : {}),
      // Another payer may have chosen these values.
      counterparty: mayBeShifted ? counterparty({}) : this.payerOf(row),
      references: value === null ? [] : [{ value, type: null }],
      endToEndId: reference(row.endToEndId),
      bankReference,
      text: joinTexts(row.text),
      identifiers: { ...NO_IDENTIFIERS, entryBankReference: bankReference },
    };
  }

  /** A profile may take the column of the own account for the payer's. */
  private payerOf(row: CsvRow): Counterparty {
    const payer = counterparty(row);
    const { account } = counterparty({ account: this.statement.account ?? undefined });
    return payer.account === account ? counterparty({ ...row, account: undefined }) : payer;
  }

  /** Finds the words for pending rows anywhere in the status cell, ignoring case. */
  private statusOf({ status = '' }: CsvRow): LineStatus {
    const own = status.toLowerCase();
    const isPending = this.profile.pending?.some((word) => own.includes(word.toLowerCase()));
    return isPending ? 'announced' : 'booked';
  }
}
