/** Cells under headings; the first column is words, the others are figures. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const widthsOf = ({ head, rows }: Table): number[] =>
  head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));

const aligned = (cells: readonly string[], widths: readonly number[]): string[] =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));

/** For a screen. */
export function plain(table: Table): string {
  const widths = widthsOf(table);
  const lines = [table.head, ...table.rows].map((cells) => aligned(cells, widths).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** For a page, in the shape that the formatter gives it. */
export function markdown(table: Table): string {
  const widths = widthsOf(table).map((width) => Math.max(width, 3));
  const line = (cells: readonly string[]): string => `| ${aligned(cells, widths).join(' | ')} |`;
  const rule = widths.map((width, i) =>
    i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(table.head), line(rule), ...table.rows.map(line)].join('\n');
}

/** A figure with as many digits as mean something; a dash where there is none. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100 || value === 0) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}
