import pg from 'pg';
import type { Duplex } from 'node:stream';
import type { DataSourceOptions } from 'typeorm';
import { privateFolder, refuseForeignFiles } from '../common/private-folder.js';
import type { Config } from '../config/config.js';
import type { DatabaseLocation } from '../config/database-location.js';
import { DatabaseClient } from './connection/client.js';
import { EmbeddedDatabase } from './embedded/embedded-database.js';
import { connectToSocket, isAnswered, SOCKET } from './embedded/database-socket.js';
import * as entities from './entities.js';
import { PLANNING } from './planning.js';
import { MIGRATIONS } from './schema/migrations.js';
import { parseTimestamp } from './timestamp.js';

/** A PostgreSQL server, or a pooler in front of one. */
export interface ServerConnection {
  readonly kind: 'postgres';
  readonly connectionString: string;
  /** Each transaction may use another session, so session state cannot be relied on. */
  readonly isPooled: boolean;
}

/** Connection parameters of the pool. */
export type Connection =
  | ServerConnection
  | {
      readonly kind: 'embedded';
      readonly stream: () => Duplex;
      /** Another process has the database open, and accepts connections. */
      readonly isGuest: boolean;
      close(): Promise<void>;
    };

/** Maximum wait of a query for another transaction of the single session; less than `query_timeout`. */
const EMBEDDED_WAIT_MS = 4_000;

/**
 * Starts the embedded database if configured.
 * @throws FolderNotPrivateError when another user of the host owns its folder
 * @throws DatabaseFolderInUseError when another process has its folder open, and is not to be connected to
 */
export async function openConnection(location: DatabaseLocation): Promise<Connection> {
  if (location.kind === 'postgres') {
    return { kind: 'postgres', connectionString: location.url, isPooled: location.isPooled };
  }
  if (location.kind === 'folder' && location.viaSocket && (await isServed(location.path))) {
    const stream = () => connectToSocket(location.path);
    return { kind: 'embedded', stream, isGuest: true, close: () => Promise.resolve() };
  }
  const hasSocket = location.kind === 'folder' && !location.viaSocket;
  const embedded = await EmbeddedDatabase.open(location, { waitMs: EMBEDDED_WAIT_MS, hasSocket });
  const close = () => embedded.close();
  return { kind: 'embedded', stream: embedded.connect, isGuest: false, close };
}

/** Rejects another user's socket, which would receive all queries. */
async function isServed(folder: string): Promise<boolean> {
  await privateFolder(folder, { followLinks: true });
  refuseForeignFiles(folder, [SOCKET]);
  return isAnswered(folder);
}

/** bigint columns are amounts and counts, which must be safe integers. */
function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is beyond the safe integers');
  return value;
}

type ParseText = (text: string) => unknown;

/** Parsers by type OID. A date stays a string: it has no time and no time zone. */
const PARSERS: ReadonlyMap<number, ParseText> = new Map<number, ParseText>([
  [20, parseBigint],
  [1082, (day) => day],
  [1184, parseTimestamp],
]);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format),
};

/**
 * Limits of pooled connections, in milliseconds. `query_timeout` ends a statement without response early enough for a
 * 503 within 5 s; the server's own limits are shorter.
 */
export const POOL_LIMITS = {
  connectionTimeoutMillis: 3_000,
  query_timeout: 4_500,
  statement_timeout: 4_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 5_000,
  keepAlive: true,
  // Detects a vanished server in a minute or two instead of two hours.
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** Not sent, because the role has these limits. */
const OF_THE_ROLE = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
} as const;

export type Limits = Partial<Record<keyof typeof OF_THE_ROLE | 'query_timeout', number>>;

/** Limits for opening a connection; a transaction pooler does not forward them. */
export const limitsOf = (connection: Connection, others: Limits = {}) => ({
  ...POOL_LIMITS,
  ...others,
  ...(connection.kind === 'postgres' && connection.isPooled ? OF_THE_ROLE : {}),
});

/** Timestamps in UTC are read by the positions of their digits (`parseTimestamp`). */
const IN_UTC = ['-c', 'timezone=UTC'];

/** Options of connections to a server. */
export const serverOptions = (
  connection: ServerConnection,
  limits: Limits = {},
): pg.ClientConfig => ({
  connectionString: connection.connectionString,
  application_name: 'orders',
  ...limitsOf(connection, limits),
  ...(connection.isPooled ? {} : { options: [...PLANNING, ...IN_UTC].join(' ') }),
});

/** Table of completed migrations. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Options of the data source; migrations only, never `synchronize`. */
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
