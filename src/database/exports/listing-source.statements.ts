import type { CopySource } from '../copy/copy-session.js';

/** Rows per chunk on the embedded database. */
const PART_ROWS = 2_000;

/** SQL of each column, in column order. */
export type ListingColumns = Readonly<Record<string, string>>;

/** RFC 3339 with the offset of the session's time zone. */
export const offsetTime = (sql: string): string =>
  `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.MSTZH:TZM')`;

/** A list as a CSV file. */
interface Listing {
  readonly columns: ListingColumns;
  /** "FROM … WHERE …". */
  readonly from: string;
  /** Sort key of the rows, and the direction of the file. */
  readonly key: string;
  readonly order: string;
  readonly beyond: '<' | '>';
  /** SQL that formats a row's sort key. */
  readonly place: string;
}

/** The rows of a list as CSV without header. */
export function listingSource({ columns, from, key, order, beyond, place }: Listing): CopySource {
  const between = (after: string | null, to: string | null): string =>
    [
      from,
      ...(after ? [`${key} ${beyond} ${after}`] : []),
      ...(to ? [`NOT ${key} ${beyond} ${to}`] : []),
    ].join(' AND ');
  return {
    rows: (after, to) =>
      `COPY (SELECT ${Object.values(columns).join(', ')} ${between(after, to)} ORDER BY ${order})
       TO STDOUT (FORMAT csv)`,
    // Unused.
    totals: () => 'SELECT WHERE false',
    lastPlace: (after) =>
      `SELECT ${place} AS place ${between(after, null)} ORDER BY ${order}
       OFFSET ${PART_ROWS - 1} LIMIT 1`,
  };
}
