/** Rows of one merchant, in one mode, that one look reads: others wait for no more of them. */
const SHARE = 100;

/** What waits in a table. An index begins with the merchant and `order`, and holds what is `due` alone. */
interface Waiting {
  readonly table: string;
  readonly due: string;
  readonly order: string;
  /** SQL of the mode of the row `r`, where rows have one: what is live waits for nothing of test mode. */
  readonly mode?: string;
}

const ofEachMerchant = ({ table, due, order, mode }: Waiting, share: number): string => `
  (SELECT id AS whose FROM merchants) m
  ${mode ? `CROSS JOIN (VALUES ('live'), ('test')) l (at)` : ''} CROSS JOIN LATERAL (
    SELECT r.*, row_number() OVER (ORDER BY ${order}) AS place FROM ${table} r
    WHERE r.merchant_id = m.whose AND ${due} ${mode ? `AND ${mode} = l.at` : ''}
    ORDER BY ${order} LIMIT ${share})`;

/**
 * SQL of what is due, in turns: the first of each merchant (in each mode), then the second of each.
 * Thousands that one has waiting keep nobody else's back.
 */
export const inTurns = (
  waiting: Waiting & { readonly columns: string; readonly limit: string },
): string => `
  SELECT ${waiting.columns} FROM ${ofEachMerchant(waiting, SHARE)} r
  ORDER BY r.place, random() LIMIT ${waiting.limit}`;

/** SQL of when the first of all is due. */
export const earliest = (waiting: Waiting): string => `
  SELECT min(r.${waiting.order}) FROM ${ofEachMerchant(waiting, 1)} r`;
