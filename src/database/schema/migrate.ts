import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { assertLimits } from '../connection/pooler.js';
import { type Connection, dataSourceOptions, MIGRATIONS_TABLE } from '../data-source.js';
import { isLockTimeout, isReadOnly, isRetryable, isUnavailable } from '../faults.js';
import { assertMayRead, isThere, ProgramTooOldError } from './schema-fence.js';

/** A number that no other lock of the database has. */
const LOCK = 1_765_267_200;
/** Between two looks whether another process has finished its migrations, in milliseconds. */
const POLL_MS = 250;
/** Migrations of another process are waited for so long: a large table takes its time. */
const OTHERS_MAX_MS = 3_600_000;
/**
 * While a migration waits for a table, everybody else waits behind it, so it gives way after this
 * time, which is less than requests have, and tries again after a pause.
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

/** How long a start, and the command line, go on trying to get a table to themselves. */
export const MIGRATION_WAIT_MS = { start: 60_000, command: 3_600_000 } as const;

/** Why the tables could not be brought up to date. What has run stays, what failed left nothing. */
export class MigrationError extends Error {
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
    this.name = 'MigrationError';
  }
}

/**
 * Runs the migrations that are due, in one process at a time and without the limits of requests.
 * @returns their names
 * @throws MigrationError
 * @throws ProgramTooOldError when the tables belong to a newer version
 * @throws PoolerError when there is a pooler that `connection` does not know of
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

/** A server that starts together with the program may be a moment later. */
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

/** One session holds the lock, the other works; the embedded database has one process anyway. */
function unlimited(connection: Connection): DataSourceOptions {
  return { ...dataSourceOptions(connection, 2, LIMITS), entities: [] };
}

/** Behind a pooler a role has limits of its own, which only a transaction can put off. */
const takeTime = ({ queryRunner }: { queryRunner: QueryRunner }): Promise<unknown> =>
  queryRunner.query(`SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** A lock of a transaction, so that it holds behind a pooler too and ends with its session. */
async function alone<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  const end = Date.now() + OTHERS_MAX_MS;
  try {
    while (!(await isLocked(runner))) {
      if (Date.now() > end) throw new MigrationError(new Error('another process still migrates'));
      await sleep(POLL_MS);
    }
    return await work();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
  }
}

/**
 * Asks again and again: a statement that waits would keep an index from being built beside it, and so
 * would one with parameters, whose snapshot the server keeps until the next.
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
  await dataSource.query(TAKE_OVER);
  await assertMayRead(dataSource);
  await dataSource.runMigrations();
}

/** Migrations that have run. */
async function namesOf(dataSource: DataSource): Promise<string[]> {
  if (!(await isThere(dataSource, MIGRATIONS_TABLE))) return [];
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Programs from before the fence look at no row of it: they run what the table `migrations` does not
 * name. Instead of it they find a view that tells them why they cannot start.
 */
const TAKE_OVER = `DO $do$ BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('migrations') AND relkind = 'v') THEN
    RETURN;
  END IF;
  ALTER TABLE IF EXISTS migrations RENAME TO ${MIGRATIONS_TABLE};
  CREATE OR REPLACE FUNCTION refuse_older_program() RETURNS integer LANGUAGE plpgsql AS $function$
    BEGIN RAISE EXCEPTION 'a newer version of the program has taken this database over: start that one'; END
  $function$;
  CREATE VIEW migrations AS
    SELECT refuse_older_program() AS id, 0::bigint AS timestamp, ''::varchar AS name;
END $do$`;
