import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';

/** SQL under a name: prepared once on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The twin's database: statements go to the driver as they are. */
export interface Store {
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
}

const TIMESTAMPTZ = 1184;
const BIGINT = 20;

/** `2026-01-31 10:00:00.5+00` is one step from what an answer says; a Date would be two. */
const moment = (text: string): string => text.replace(' ', 'T').replace('+00', 'Z');

/** @param connections as many as the service has */
export function postgresStore(url: string, connections: number): Store {
  pg.types.setTypeParser(TIMESTAMPTZ, moment);
  pg.types.setTypeParser(BIGINT, Number);
  const options = '-c timezone=UTC';
  const pool = new pg.Pool({ connectionString: url, max: connections, options });
  return {
    query: async <Row>({ name, text }: Statement, values: readonly unknown[]) =>
      (await pool.query({ name, text, values: [...values] })).rows as Row[],
  };
}

/** Names mean nothing here: there is one session, and PGlite prepares each query anew. */
export async function embeddedStore(folder: string): Promise<Store & { close(): Promise<void> }> {
  const parsers = { [TIMESTAMPTZ]: moment, [BIGINT]: Number };
  const database = await PGlite.create(folder, { parsers });
  await database.exec(`SET timezone = 'UTC'`);
  return {
    query: async <Row>({ text }: Statement, values: readonly unknown[]) =>
      (await database.query<Row>(text, [...values])).rows,
    close: () => database.close(),
  };
}
