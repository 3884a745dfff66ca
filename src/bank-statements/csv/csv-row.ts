import { LIMITS } from '../limits.js';
import { quoted, refuse } from '../refused.js';
import { readCsvDay } from './csv-day.js';
import type { CsvColumns, CsvProfile } from './csv-profile.js';

export type CsvRow = Readonly<Partial<Record<Exclude<keyof CsvColumns, 'text'>, string>>> & {
  readonly text: readonly string[];
  /** The line of the file, from 1. */
  readonly line: number;
};

const COLUMN_MAX = 200;

/** The row that names the columns, and how the rows below it are read. */
export class CsvHeader {
  private constructor(
    private readonly places: ReadonlyMap<string, number>,
    private readonly width: number,
    private readonly profile: CsvProfile,
  ) {}

  /** Undefined for a row without all the names that the profile has. */
  static of(record: readonly string[], profile: CsvProfile): CsvHeader | undefined {
    const places = new Map(record.map((cell, at) => [cell.trim(), at] as const).toReversed());
    const { text, ...others } = profile.columns;
    const isWhole = [...Object.values(others), ...text].every((name) => places.has(name));
    return isWhole ? new CsvHeader(places, record.length, profile) : undefined;
  }

  /** @throws StatementRefusedError for cells that cannot be those of their columns */
  rowOf(record: readonly string[], line: number): CsvRow {
    this.check(record, line);
    const { text, ...others } = this.profile.columns;
    const cell = (name: string): string => {
      const found = record[this.places.get(name)!] ?? '';
      return found.length > LIMITS.text
        ? refuse(`Line ${line}: a text is longer than ${LIMITS.text} characters.`)
        : found;
    };
    const cells = Object.entries(others).map(([field, name]) => [field, cell(name)] as const);
    return { ...Object.fromEntries(cells), text: text.map(cell), line };
  }

  /** A sign too many in a text moves what stands behind it, and a quote too many hides whole rows. */
  private check(record: readonly string[], line: number): void {
    const extra = record.slice(this.width).find((cell) => cell.trim() !== '');
    if (extra !== undefined) {
      refuse(`Line ${line}: ${quoted(extra)} stands behind the last column.`);
    }
    if (record.some((cell) => this.holdsRow(cell))) {
      refuse(`Line ${line}: a quote that is not closed holds a row.`);
    }
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
