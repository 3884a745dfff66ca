/** Rows of one merchant that one look reads: others wait for no more of them. */
const SHARE = 100;

/** What waits in a table. An index begins with the merchant and `order`, and holds what is `due` alone. */
interface Waiting {
  readonly table: string;
  readonly due: string;
  readonly order: string;
}

const ofEachMerchant = ({ table, due, order }: Waiting, share: number): string => `
  (SELECT id AS whose FROM merchants) m CROSS JOIN LATERAL (
    SELECT r.*, row_number() OVER (ORDER BY ${order}) AS place FROM ${table} r
    WHERE r.merchant_id = m.whose AND ${due} ORDER BY ${order} LIMIT ${share})`;

/**
 * SQL of what is due, in turns: the first of each merchant, then the second of each. Thousands that
 * one has waiting keep nobody else's back.
 */
export const inTurns = (
  waiting: Waiting & { readonly columns: string; readonly limit: string },
): string => `
  SELECT ${waiting.columns} FROM ${ofEachMerchant(waiting, SHARE)} r
  ORDER BY r.place, random() LIMIT ${waiting.limit}`;

/** SQL of when the first of all is due. */
export const earliest = (waiting: Waiting): string => `
  SELECT min(r.${waiting.order}) FROM ${ofEachMerchant(waiting, 1)} r`;
