import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { assertLimits } from '../connection/pooler.js';
import { type Connection, dataSourceOptions, MIGRATIONS_TABLE } from '../data-source.js';
import { isLockTimeout, isReadOnly, isRetryable, isUnavailable } from '../faults.js';
import { MIGRATIONS } from './migrations.js';
import { assertMayRead, isThere, ProgramTooOldError } from './schema-version-guard.js';

/** Key of the advisory lock, unique in the database. */
const LOCK = 1_765_267_200;
/** Poll interval while another process migrates, in milliseconds. */
const POLL_MS = 250;
/** Maximum wait for migrations of another process, in milliseconds: large tables take long. */
const OTHERS_MAX_MS = 3_600_000;
/**
 * A migration that waits for a table lock blocks all later requests, so it gives up after this time, which is shorter
 * than request timeouts, and retries after a pause.
 */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 2_000;
const LIMITS = {
  query_timeout: 0,
  statement_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  lock_timeout: LOCK_TIMEOUT_MS,
};

const CONNECTS_MAX = 3;
const CONNECT_PAUSE_MS = 500;

/** Maximum time to retry for table locks, at the start and on the command line. */
export const MIGRATION_WAIT_MS = { start: 60_000, command: 3_600_000 } as const;

/** A failed migration. Completed migrations are kept, the failed one is rolled back. */
export class MigrationError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
    this.name = 'MigrationError';
  }
}

/**
 * Runs pending migrations, serialized across processes and without request limits.
 * @returns their names
 * @throws MigrationError
 * @throws ProgramTooOldError when the tables belong to a newer version
 * @throws PoolerError when there is an undeclared pooler
 */
export async function migrate(connection: Connection, timeoutMs: number): Promise<string[]> {
  const dataSource = await opened(connection);
  try {
    const work = () => untilFree(dataSource, timeoutMs);
    return await (connection.kind === 'postgres' ? alone(dataSource, work) : work());
  } finally {
    await dataSource.destroy();
  }
}

/** Retries, because a server started together with the program may become ready later. */
async function opened(connection: Connection): Promise<DataSource> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (connection.kind === 'postgres') await assertLimits(connection);
      const dataSource = await new DataSource(unlimited(connection)).initialize();
      dataSource.subscribers.push({ afterTransactionStart: takeTime });
      return dataSource;
    } catch (error) {
      if (attempt === CONNECTS_MAX || !isUnavailable(error)) throw error;
      await sleep(CONNECT_PAUSE_MS);
    }
  }
}

/** Two connections: one holds the lock, the other migrates. */
function unlimited(connection: Connection): DataSourceOptions {
  return { ...dataSourceOptions(connection, 2, LIMITS), entities: [] };
}

/** Behind a pooler, limits of the role apply, which only `SET LOCAL` overrides. */
const takeTime = ({ queryRunner }: { queryRunner: QueryRunner }): Promise<unknown> =>
  queryRunner.query(`SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** A transaction-level lock, which also works behind a pooler and ends with its session. */
async function alone<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const end = Date.now() + OTHERS_MAX_MS;
  try {
    while (!(await isLocked(runner))) {
      if (Date.now() > end)
        throw new MigrationError(new Error('another process is still running migrations'));
      await sleep(POLL_MS);
    }
    return await work();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/**
 * Polls instead of waiting: a waiting statement would block CREATE INDEX CONCURRENTLY, and so would one with
 * parameters, whose snapshot is kept until the next statement.
 */
async function isLocked(runner: QueryRunner): Promise<boolean> {
  await runner.startTransaction();
  const [row] = await runner.query(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS locked`);
  if (!row.locked) await runner.rollbackTransaction();
  return row.locked;
}

async function untilFree(dataSource: DataSource, timeoutMs: number): Promise<string[]> {
  const end = Date.now() + timeoutMs;
  let before: string[] | undefined;
  for (;;) {
    try {
      before ??= await namesOf(dataSource);
      await run(dataSource);
      return (await namesOf(dataSource)).filter((name) => !before?.includes(name));
    } catch (error) {
      if (error instanceof ProgramTooOldError) throw error;
      const mayPass = isLockTimeout(error) || isRetryable(error) || isReadOnly(error);
      if (!mayPass || Date.now() > end) throw new MigrationError(error);
      await sleep(PAUSE_MS);
    }
  }
}

async function run(dataSource: DataSource): Promise<void> {
  await assertMayRead(dataSource);
  await assertReleased(dataSource);
  await dataSource.runMigrations();
}

/** Schemas from before version 1.0.0 are not migrated. */
async function assertReleased(dataSource: DataSource): Promise<void> {
  const [first] = await namesOf(dataSource);
  if (first === undefined || first === MIGRATIONS[0]!.name) return;
  throw new Error(
    'This database was made by a draft from before version 1.0.0. Version 1.0.0 needs a new one.',
  );
}

/** Names of completed migrations. */
async function namesOf(dataSource: DataSource): Promise<string[]> {
  if (!(await isThere(dataSource, MIGRATIONS_TABLE))) return [];
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`,
  );
  return rows.map(({ name }) => name);
}
