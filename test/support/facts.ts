import { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import type { TestApp } from './app.js';
import { until } from './race.js';

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

/** Does what the triggers would refuse: an administrator of the database can. Foreign keys are not checked either. */
export const withoutTriggers = (
  app: TestApp,
  sql: string,
  values: readonly unknown[] = [],
): Promise<unknown> =>
  app.get(Database).transaction(async (tx) => {
    await tx.query(`SET LOCAL session_replication_role = 'replica'`);
    return tx.query<unknown>(sql, [...values]);
  });

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

/** How often the sandbox bank moved money for an order. */
export const bookedFor = (app: TestApp, txid: string): Promise<number> =>
  count(
    app,
    'sandbox_transactions b JOIN payments p ON p.id = b.payment_id',
    `p.txid = $1 AND b.outcome = 'paid'`,
    [txid],
  );

export async function count(
  app: TestApp,
  table: string,
  condition: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const sql = `SELECT count(*)::integer AS n FROM ${table} WHERE ${condition}`;
  return (await select<{ n: number }>(app, sql, values))[0]!.n;
}

/**
 * Waits until so many sessions on the app's database wait for a lock. The app asks, because within
 * a transaction PostgreSQL would tell of no session that came after the first question.
 */
export function untilBlocked(app: TestApp, sessions: number): Promise<void> {
  const table = 'pg_stat_activity';
  const isBlocked = `datname = current_database() AND wait_event_type = 'Lock'`;
  return until(`${sessions} wait for a lock`, async () => {
    return (await count(app, table, isBlocked)) === sessions;
  });
}
