import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { templateFile } from '../../src/database/embedded/template.js';
import { migrate, MIGRATION_WAIT_MS } from '../../src/database/schema/migrate.js';

const SERVER = process.env['TEST_DATABASE_URL'];

export interface TestDatabase {
  readonly url: string;
  readonly isPostgres: boolean;
  drop(): Promise<void>;
}

const EMBEDDED: TestDatabase = { url: 'memory:', isPostgres: false, drop: async () => {} };

/** PostgreSQL's code for a name of a database that is taken. */
const IS_TAKEN = '42P04';

/**
 * An empty database of the test's own: on the server that TEST_DATABASE_URL names, else the embedded one in
 * memory.
 */
export async function createDatabase(): Promise<TestDatabase> {
  return SERVER ? newOnServer(SERVER) : EMBEDDED;
}

/** The same with all tables: on a server a copy, because the migrations take longer than most tests. */
export async function createTables(): Promise<TestDatabase> {
  return SERVER ? newOnServer(SERVER, await template(SERVER)) : EMBEDDED;
}

async function newOnServer(server: string, model = 'template1'): Promise<TestDatabase> {
  const name = `orders_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name} TEMPLATE ${model}`);
  const url = urlOf(server, name);
  const drop = async () => void (await onServer(server, `DROP DATABASE ${name} WITH (FORCE)`));
  return { url, isPostgres: true, drop };
}

/** Stays on the server for the next run, and is another one for other migrations. */
async function template(server: string): Promise<string> {
  const name = `orders_${path.basename(templateFile(), '.tar').replace('-', '_')}`;
  const isThere = `SELECT FROM pg_database WHERE datname = '${name}'`;
  if ((await onServer(server, isThere)).rowCount === 1) return name;
  const made = await newOnServer(server);
  await migrate(
    { kind: 'postgres', connectionString: made.url, isPooled: false },
    MIGRATION_WAIT_MS.start,
  );
  const own = new URL(made.url).pathname.slice(1);
  await onServer(server, `ALTER DATABASE ${own} RENAME TO ${name}`).catch(
    async (error: pg.DatabaseError) => {
      if (error.code !== IS_TAKEN) throw error;
      await made.drop();
    },
  );
  return name;
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
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

async function onServer(url: string, sql: string): Promise<pg.QueryResult> {
  const client = await connect(url);
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
