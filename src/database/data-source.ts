import pg from 'pg';
import type { Duplex } from 'node:stream';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Config, DatabaseLocation } from '../config/config.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { ENTITIES } from './entities.js';
import { MIGRATIONS } from './migrations.js';

/** How to reach the database, for TypeORM's pool and for the job queue's. */
export type Connection =
  | { readonly kind: 'postgres'; readonly connectionString: string }
  | { readonly kind: 'embedded'; readonly stream: () => Duplex; close(): Promise<void> };

/** A query outside the open transaction of the one session waits so long: less than `query_timeout`. */
const EMBEDDED_WAIT_MS = 4_000;

/** Starts the embedded database when the location asks for it. */
export async function openConnection(location: DatabaseLocation): Promise<Connection> {
  if (location.kind === 'postgres') return { kind: 'postgres', connectionString: location.url };
  const embedded = await EmbeddedDatabase.open(location, { waitMs: EMBEDDED_WAIT_MS });
  return { kind: 'embedded', stream: embedded.connect, close: () => embedded.close() };
}

/** bigint columns are amounts and counts: whole numbers that JavaScript holds exactly, or a mistake. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is beyond the safe integers');
  return value;
}

/** The type's number in PostgreSQL's catalogue. */
const INT8 = 20;

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? parseBigint : pg.types.getTypeParser(oid, format),
};

/**
 * Limits of each pooled connection, in milliseconds. A statement that the database does not answer
 * ends after `query_timeout`, early enough for a 503 within 5 s; the server's own limits come first.
 */
export const POOL_LIMITS = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 4_500,
  statement_timeout: 4_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
} as const;

/** Statements here are short: to compile one takes longer than it ever saves. */
const WITHOUT_JIT = '-c jit=off';

/** Options of the one data source; migrations only, never `synchronize`. */
export function dataSourceOptions(connection: Connection, pool: number): DataSourceOptions {
  const limits = { ...POOL_LIMITS, max: pool, types };
  return {
    type: 'postgres',
    entities: ENTITIES,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    ...(connection.kind === 'postgres'
      ? {
          url: connection.connectionString,
          extra: { ...limits, application_name: 'orders', options: WITHOUT_JIT },
        }
      : { extra: { ...limits, stream: connection.stream, ssl: false } }),
  };
}

export const connectionOf = (config: Config): Promise<Connection> =>
  openConnection(config.database);

/**
 * Runs what migrations are due. They may take longer than a request ever may.
 * @returns their names
 */
export async function migrateWithoutLimit(config: Config): Promise<string[]> {
  const connection = await connectionOf(config);
  const { extra, ...options } = dataSourceOptions(connection, 1);
  const unlimited = { ...extra, query_timeout: 0, statement_timeout: 0 };
  const dataSource = new DataSource({ ...options, extra: unlimited });
  try {
    await dataSource.initialize();
    return (await dataSource.runMigrations()).map(({ name }) => name);
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    if (connection.kind === 'embedded') await connection.close();
  }
}
