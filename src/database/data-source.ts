import pg from 'pg';
import type { Duplex } from 'node:stream';
import type { DataSourceOptions } from 'typeorm';
import { privateFolder, refuseForeignFiles } from '../common/private-folder.js';
import type { Config } from '../config/config.js';
import type { DatabaseLocation } from '../config/database-location.js';
import { DatabaseClient } from './connection/client.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { doorTo, isAnswered, SOCKET } from './embedded/folder-door.js';
import * as entities from './entities.js';
import { PLANNING } from './planning.js';
import { MIGRATIONS } from './schema/migrations.js';

/** A PostgreSQL server, or a pooler in front of one. */
export interface ServerConnection {
  readonly kind: 'postgres';
  readonly connectionString: string;
  /** Each transaction may have another session, so that nothing of a session can be relied on. */
  readonly isPooled: boolean;
}

/** How to reach the database, for TypeORM's pool and for the job queue's. */
export type Connection =
  | ServerConnection
  | {
      readonly kind: 'embedded';
      readonly stream: () => Duplex;
      /** Another process has the database, and answers. */
      readonly isGuest: boolean;
      close(): Promise<void>;
    };

/** A query outside the open transaction of the one session waits so long: less than `query_timeout`. */
const EMBEDDED_WAIT_MS = 4_000;

/**
 * Starts the embedded database when the location asks for it.
 * @throws FolderNotPrivateError when another user of the host owns its folder
 * @throws DatabaseFolderInUseError when another process has its folder, and nobody is to ask that one
 */
export async function openConnection(location: DatabaseLocation): Promise<Connection> {
  if (location.kind === 'postgres') {
    return { kind: 'postgres', connectionString: location.url, isPooled: location.isPooled };
  }
  if (location.kind === 'folder' && location.asGuest && (await isServed(location.path))) {
    const stream = () => doorTo(location.path);
    return { kind: 'embedded', stream, isGuest: true, close: () => Promise.resolve() };
  }
  const hasDoor = location.kind === 'folder' && !location.asGuest;
  const embedded = await EmbeddedDatabase.open(location, { waitMs: EMBEDDED_WAIT_MS, hasDoor });
  const close = () => embedded.close();
  return { kind: 'embedded', stream: embedded.connect, isGuest: false, close };
}

/** Another user's socket could be anybody's: what is sent to it would be told to them. */
async function isServed(folder: string): Promise<boolean> {
  await privateFolder(folder, { followLinks: true });
  refuseForeignFiles(folder, [SOCKET]);
  return isAnswered(folder);
}

/** bigint columns are amounts and counts: whole numbers that JavaScript holds exactly, or a mistake. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is beyond the safe integers');
  return value;
}

type ParseText = (text: string) => unknown;

/** Types by their numbers in PostgreSQL's catalogue. A day stays a text: it has no time, and no zone. */
const PARSERS: ReadonlyMap<number, ParseText> = new Map<number, ParseText>([
  [20, parseBigint],
  [1082, (day) => day],
]);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format),
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
  // A server that is gone without a word is found out in a minute or two, and not after two hours.
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Not sent: such limits are the role's. */
const OF_THE_ROLE = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const;

export type Limits = Partial<Record<keyof typeof OF_THE_ROLE | 'query_timeout', number>>;

/** Limits with which a connection is opened; a pooler of transactions refuses to pass them on. */
export const limitsOf = (connection: Connection, others: Limits = {}) => ({
  ...POOL_LIMITS,
  ...others,
  ...(connection.kind === 'postgres' && connection.isPooled ? OF_THE_ROLE : {}),
});

/** What each connection to a server is opened with. */
export const serverOptions = (
  connection: ServerConnection,
  limits: Limits = {},
): pg.ClientConfig => ({
  connectionString: connection.connectionString,
  application_name: 'orders',
  ...limitsOf(connection, limits),
  ...(connection.isPooled ? {} : { options: PLANNING.join(' ') }),
});

/** What has run stands here. TypeORM's own name for it turns older programs away: see `migrate`. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Options of the one data source; migrations only, never `synchronize`. */
export function dataSourceOptions(
  connection: Connection,
  pool: number,
  limits: Limits = {},
): DataSourceOptions {
  const own = { max: pool, types, Client: DatabaseClient };
  return {
    type: 'postgres',
    entities: Object.values(entities),
    migrations: MIGRATIONS,
    migrationsTableName: MIGRATIONS_TABLE,
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    invalidWhereValuesBehavior: { null: 'throw', undefined: 'throw' },
    ...(connection.kind === 'postgres'
      ? {
          url: connection.connectionString,
          extra: { ...serverOptions(connection, limits), ...own },
        }
      : {
          extra: { ...limitsOf(connection, limits), ...own, stream: connection.stream, ssl: false },
        }),
  };
}

export const connectionOf = (config: Config): Promise<Connection> =>
  openConnection(config.database);
