import { randomBytes } from 'node:crypto';
import pg from 'pg';

const SERVER = process.env['TEST_DATABASE_URL'];

export interface TestDatabase {
  readonly url: string;
  readonly isPostgres: boolean;
  drop(): Promise<void>;
}

/**
 * A database of the test's own: on the server that TEST_DATABASE_URL names, else the embedded one in
 * memory.
 */
export async function createDatabase(): Promise<TestDatabase> {
  if (!SERVER) return { url: 'memory:', isPostgres: false, drop: async () => {} };
  const name = `orders_test_${randomBytes(6).toString('hex')}`;
  await onServer(SERVER, `CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    isPostgres: true,
    drop: () => onServer(SERVER, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** `describe` or `it` for what the embedded database has not: skipped there, and told why. */
export function onPostgres<Skip>(run: Skip & { readonly skip: Skip }, why: string): Skip {
  if (SERVER) return run;
  // Not to the console: jest does not show it for a file of which every test is skipped.
  process.stderr.write(`Tests that need a PostgreSQL server are skipped: ${why}.\n`);
  return run.skip;
}

/** A session on the database beside those of the service. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
