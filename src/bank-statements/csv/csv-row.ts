import { LIMITS } from '../limits.js';
import { quoted, refuse } from '../refused.js';
import { readCsvDay } from './csv-day.js';
import type { CsvColumns, CsvProfile } from './csv-profile.js';

export type CsvRow = Readonly<Partial<Record<Exclude<keyof CsvColumns, 'text'>, string>>> & {
  readonly text: readonly string[];
  readonly sign?: string;
  /** Line in the file, from 1. */
  readonly line: number;
};

const COLUMN_MAX = 200;

/** Field and column name, without the text columns. */
const columnsOf = ({ columns, sign }: CsvProfile): [string, string][] => [
  ...Object.entries(columns).filter(([field]) => field !== 'text'),
  ...(sign ? [['sign', sign.column] as [string, string]] : []),
];

/** Header row, and the mapping of the rows below it. */
export class CsvHeader {
  private readonly columns: readonly (readonly [string, string])[];
  /** All column names of the profile. */
  private readonly names: ReadonlySet<string>;

  private constructor(
    private readonly places: ReadonlyMap<string, number>,
    /** All column names of the file, in order. */
    private readonly all: readonly string[],
    private readonly profile: CsvProfile,
  ) {
    this.columns = columnsOf(profile);
    this.names = new Set([...this.columns.map(([, name]) => name), ...profile.columns.text]);
  }

  /**
   * @returns undefined if a column of the profile is missing
   * @throws StatementRefusedError if a column of the profile occurs twice
   */
  static of(record: readonly string[], profile: CsvProfile, line: number): CsvHeader | undefined {
    const names = record.map((cell) => cell.trim());
    const places = new Map(names.map((name, at) => [name, at] as const));
    const named = [...columnsOf(profile).map(([, name]) => name), ...profile.columns.text];
    if (!named.every((name) => places.has(name))) return undefined;
    const twice = named.find((name) => names.indexOf(name) !== places.get(name));
    if (twice !== undefined) refuse(`Line ${line}: two columns are called ${quoted(twice)}.`);
    return new CsvHeader(places, names, profile);
  }

  /** Indexes of the amount columns, from 0. */
  private get amountColumns(): number[] {
    const { amount, debit, credit } = this.profile.columns;
    return [amount, debit, credit].flatMap((name) =>
      name === undefined ? [] : [this.places.get(name)!],
    );
  }

  /** Places and names of the columns that the profile does not use. */
  get unused(): [number, string][] {
    return [...this.all.entries()].filter(([, name]) => !this.names.has(name));
  }

  /** Whether a row repeats this header, as in concatenated files. */
  isRepeatedHeader(record: readonly string[]): boolean {
    return [...this.places].every(([name, at]) => (record[at] ?? '').trim() === name);
  }

  /**
   * Whether a row without a date looks like a header row with other columns: it has column names of the profile, or
   * words in an amount column.
   */
  looksLikeOtherHeader(record: readonly string[], isNumber: (text: string) => boolean): boolean {
    const { names } = this;
    const filled = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
    if (filled.filter((cell) => names.has(cell)).length > 1) return true;
    if (filled.includes(this.profile.columns.bookedOn)) return true;
    const money = this.amountColumns.map((at) => (record[at] ?? '').trim());
    return filled.length > 1 && money.some((cell) => cell !== '' && !isNumber(cell));
  }

  /** @throws StatementRefusedError for too many cells, or too long a text */
  rowOf(record: readonly string[], line: number): CsvRow {
    // A row without a date, such as a total, may have fewer cells.
    if (record.length > this.all.length) this.checkCells(record, line);
    const cell = (name: string): string => {
      const found = record[this.places.get(name)!] ?? '';
      return found.length > LIMITS.text
        ? refuse(`Line ${line}: a text is longer than ${LIMITS.text} characters.`)
        : found;
    };
    const cells = this.columns.map(([field, name]) => [field, cell(name)] as const);
    return { ...Object.fromEntries(cells), text: this.profile.columns.text.map(cell), line };
  }

  /**
   * An unquoted delimiter in a text shifts the cells after it, such as the amount.
   * @throws StatementRefusedError if the number of cells differs from the header row
   */
  checkCells({ length }: readonly string[], line: number): void {
    if (length !== this.all.length)
      refuse(`Line ${line}: the row has ${length} cells, and the header ${this.all.length}.`);
  }

  /** Whether the record has a cell for each column, and a date in the booking date column. */
  isRow(record: readonly string[]): boolean {
    const { date, columns } = this.profile;
    const day = record[this.places.get(columns.bookedOn)!] ?? '';
    return record.length === this.all.length && readCsvDay(day, date) !== undefined;
  }

  /**
   * Whether a cell contains the delimiter. If the bank writes no quotes, a payer can join cells with quotes and restore
   * their number with delimiters, which shifts the payer's text into other columns.
   */
  mayBeShifted(record: readonly string[]): boolean {
    return record.some((cell) => cell.includes(this.profile.delimiter));
  }

  /**
   * An unclosed quote would hide whole rows.
   * @throws StatementRefusedError
   */
  checkQuotes(record: readonly string[], line: number): void {
    if (record.some((cell) => this.containsRow(cell)))
      refuse(`Line ${line}: a quote that is not closed holds a row.`);
  }

  private containsRow(cell: string): boolean {
    if (!/[\r\n]/.test(cell)) return false;
    const { delimiter, date, columns } = this.profile;
    const place = this.places.get(columns.bookedOn)!;
    const [, ...lines] = cell.split(/[\r\n]+/);
    return lines
      .map((line) => line.split(delimiter))
      .filter((cells) => cells.length > 1)
      .some((cells) => readCsvDay(cells[place]?.replaceAll('"', '') ?? '', date) !== undefined);
  }
}

/** @throws StatementRefusedError above `COLUMN_MAX` columns, more than any bank has */
export function checkWidth(record: readonly string[], line: number): void {
  if (record.length > COLUMN_MAX)
    refuse(`Line ${line}: there are more than ${COLUMN_MAX} columns.`);
}
