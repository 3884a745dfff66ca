/** Maximum rows per merchant, mode and query. */
const SHARE = 100;

/** Pending rows of a table. A partial index on `due` must start with the merchant and `order`. */
interface Waiting {
  readonly table: string;
  readonly due: string;
  readonly order: string;
  /** SQL for the mode of row `r`, if any: live and test mode are separate queues. */
  readonly mode?: string;
}

const ofEachMerchant = ({ table, due, order, mode }: Waiting, share: number): string => `
  (SELECT id AS whose FROM merchants) m
  ${mode ? `CROSS JOIN (VALUES ('live'), ('test')) l (at)` : ''} CROSS JOIN LATERAL (
    SELECT r.*, row_number() OVER (ORDER BY ${order}) AS place FROM ${table} r
    WHERE r.merchant_id = m.whose AND ${due} ${mode ? `AND ${mode} = l.at` : ''}
    ORDER BY ${order} LIMIT ${share})`;

/**
 * SQL for due rows in round-robin order: the first of each merchant (and mode), then the second of each, so that
 * thousands of rows of one merchant do not delay others.
 */
export const fairOrder = (
  waiting: Waiting & { readonly columns: string; readonly limit: string },
): string => `
  SELECT ${waiting.columns} FROM ${ofEachMerchant(waiting, SHARE)} r
  ORDER BY r.place, random() LIMIT ${waiting.limit}`;

/** SQL for the earliest due time. */
export const earliest = (waiting: Waiting): string => `
  SELECT min(r.${waiting.order}) FROM ${ofEachMerchant(waiting, 1)} r`;
