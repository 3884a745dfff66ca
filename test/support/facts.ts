import { DataSource } from 'typeorm';
import type { TestApp } from './app.js';

type Row = Record<string, unknown>;

/** What stands in the tables about one order. */
export interface Facts {
  readonly order: Row;
  /** Oldest first. */
  readonly payments: readonly Row[];
  /** Types of the order's events, in their sequence. */
  readonly events: readonly string[];
  readonly sequences: readonly number[];
}

/** Asks the app's own database. */
export const select = <T = Row>(
  app: TestApp,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> => app.get(DataSource).query<T[]>(sql, [...values]);

export async function factsOf(app: TestApp, txid: string): Promise<Facts> {
  const [order] = await select(app, 'SELECT * FROM orders WHERE txid = $1', [txid]);
  const payments = await select(app, 'SELECT * FROM payments WHERE txid = $1 ORDER BY created_at', [
    txid,
  ]);
  const events = await select<{ type: string; sequence: number }>(
    app,
    'SELECT type, sequence FROM events WHERE txid = $1 ORDER BY sequence',
    [txid],
  );
  return {
    order: order!,
    payments,
    events: events.map(({ type }) => type),
    sequences: events.map(({ sequence }) => sequence),
  };
}

export async function count(
  app: TestApp,
  table: string,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const sql = `SELECT count(*)::integer AS n FROM ${table} WHERE ${condition}`;
  return (await select<{ n: number }>(app, sql, values))[0]!.n;
}
