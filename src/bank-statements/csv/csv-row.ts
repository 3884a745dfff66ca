import { LIMITS } from '../limits.js';
import { quoted, refuse } from '../refused.js';
import { readCsvDay } from './csv-day.js';
import type { CsvColumns, CsvProfile } from './csv-profile.js';

export type CsvRow = Readonly<Partial<Record<Exclude<keyof CsvColumns, 'text'>, string>>> & {
  readonly text: readonly string[];
  readonly sign?: string;
  /** The line of the file, from 1. */
  readonly line: number;
};

const COLUMN_MAX = 200;

/** The column of each field, but for those of the text. */
const columnsOf = ({ columns, sign }: CsvProfile): [string, string][] => [
  ...Object.entries(columns).filter(([field]) => field !== 'text'),
  ...(sign ? [['sign', sign.column] as [string, string]] : []),
];

/** The row that names the columns, and how the rows below it are read. */
export class CsvHeader {
  private readonly columns: readonly (readonly [string, string])[];
  /** All that the profile names. */
  private readonly names: ReadonlySet<string>;

  private constructor(
    private readonly places: ReadonlyMap<string, number>,
    /** In their order. */
    private readonly all: readonly string[],
    private readonly profile: CsvProfile,
  ) {
    this.columns = columnsOf(profile);
    this.names = new Set([...this.columns.map(([, name]) => name), ...profile.columns.text]);
  }

  /**
   * Undefined for a row without all the names that the profile has.
   * @throws StatementRefusedError where two columns have a name that the profile names
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

  /** The columns that are read as amounts, from 0. */
  private get amountColumns(): number[] {
    const { amount, debit, credit } = this.profile.columns;
    return [amount, debit, credit].flatMap((name) =>
      name === undefined ? [] : [this.places.get(name)!],
    );
  }

  /** Whether a row is this very header again, as where files were put together. */
  isAgain(record: readonly string[]): boolean {
    return [...this.places].every(([name, at]) => (record[at] ?? '').trim() === name);
  }

  /**
   * Whether a row without a day looks like the header of other columns: it has names of the profile, or words where
   * the amount would be.
   */
  looksLikeAnother(record: readonly string[], isNumber: (text: string) => boolean): boolean {
    const { names } = this;
    const filled = record.map((cell) => cell.trim()).filter((cell) => cell !== '');
    if (filled.filter((cell) => names.has(cell)).length > 1) return true;
    if (filled.includes(this.profile.columns.bookedOn)) return true;
    const money = this.amountColumns.map((at) => (record[at] ?? '').trim());
    return filled.length > 1 && money.some((cell) => cell !== '' && !isNumber(cell));
  }

  /** @throws StatementRefusedError for cells that cannot be those of their columns */
  rowOf(record: readonly string[], line: number): CsvRow {
    // Fewer cells are those of a row without a day, such as a sum.
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
   * A delimiter in a text that the bank did not quote moves what stands behind it, such as the amount.
   * @throws StatementRefusedError for a row that does not have a cell for each column
   */
  checkCells({ length }: readonly string[], line: number): void {
    if (length !== this.all.length)
      refuse(`Line ${line}: the row has ${length} cells, and the header ${this.all.length}.`);
  }

  /** Whether it has a cell for each column, and a day in its place. */
  isRow(record: readonly string[]): boolean {
    const { date, columns } = this.profile;
    const day = record[this.places.get(columns.bookedOn)!] ?? '';
    return record.length === this.all.length && readCsvDay(day, date) !== undefined;
  }

  /**
   * Whether a cell contains the delimiter. If the bank writes no quotes, a payer's quotes join cells, and his delimiters
   * make up for their number, so that his words move into other columns.
   */
  mayBeMoved(record: readonly string[]): boolean {
    return record.some((cell) => cell.includes(this.profile.delimiter));
  }

  /**
   * A quote too many hides whole rows.
   * @throws StatementRefusedError
   */
  checkQuotes(record: readonly string[], line: number): void {
    if (record.some((cell) => this.holdsRow(cell)))
      refuse(`Line ${line}: a quote that is not closed holds a row.`);
  }

  private holdsRow(cell: string): boolean {
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

/** @throws StatementRefusedError for more columns than any bank has */
export function checkWidth(record: readonly string[], line: number): void {
  if (record.length > COLUMN_MAX)
    refuse(`Line ${line}: there are more than ${COLUMN_MAX} columns.`);
}
