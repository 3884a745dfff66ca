import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { Histogram } from 'prom-client';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { DatabaseClient } from './connection/client.js';
import { ConnectionLimiter, type Work } from '../overload/connection-limiter.js';
import { runDetached, trackDeadline } from '../overload/request-context.js';
import type { Connection } from './data-source.js';
import { Batcher, type BatcherOptions } from '../overload/batcher.js';
import { asUnavailable, isRetryable, isSchemaFault, refusesWrites } from './faults.js';
import { DatabaseUnavailableError } from './errors.js';
import { UnavailableError } from '../overload/errors.js';
import { workOf } from './statement-work.js';

export const CONNECTION = Symbol('connection');

/** An SQL statement. With a name it is prepared: for hot paths. */
export interface Statement {
  /** Unique; empty for a statement that is not prepared. */
  readonly name: string;
  readonly text: string;
}

/** Maximum attempts of a transaction after deadlocks and serialization failures. */
export const TRANSACTION_ATTEMPTS_MAX = 3;

/** Maximum wait of a ping for a free connection, in milliseconds. */
const PING_TIMEOUT_MS = 3_000;

/** Time after a rejected write in which the server is reported as rejecting writes, in milliseconds. */
const REFUSED_MS = 60_000;

/** Share of the connections for possibly slow work; the others remain for orders. */
const SLOW_SHARE = 0.4;

/** Access to the database: single statements and transactions. */
@Injectable()
export class Database {
  /** Number of callers per batched statement. */
  readonly callers = new Histogram({
    name: 'payment_orders_database_batch_size',
    help: 'Callers served by one batched statement.',
    labelNames: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [],
  });
  /** Called when a statement does not match the schema. */
  onSchemaFault: (() => void) | undefined;
  /** In front of the main limiter, for work whose duration depends on the caller's data. */
  readonly slowWork: ConnectionLimiter;
  /** Idle connections of the pool. */
  private readonly idle = new Set<DatabaseClient>();
  private readonly sequels = new WeakMap<EntityManager, (() => void)[]>();
  private readonly limiter: ConnectionLimiter;
  private readonly lines: Pick<ConnectionLimiter, 'waiting' | 'refused'>[];
  private refusedAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {
    const { max } = this.pool.options;
    this.limiter = new ConnectionLimiter(max);
    this.slowWork = new ConnectionLimiter(Math.max(1, Math.floor(max * SLOW_SHARE)), {
      isSlow: true,
    });
    this.lines = [this.limiter, this.slowWork];
    this.pool.on('acquire', (client) => void this.idle.delete(ours(client)));
    this.pool.on('release', (error, client) => {
      if (!error) this.idle.add(ours(client));
    });
    this.pool.on('remove', (client) => void this.idle.delete(ours(client)));
  }

  /**
   * Runs one statement in its own transaction: one round trip.
   * @throws UnavailableError when the database is unavailable
   */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await this.retried(workOf(statement), (timeoutMs) =>
      this.onClient(timeoutMs, (client) =>
        this.keepsNames && statement.name !== ''
          ? client.prepared(statement, values)
          : client.query({ text: statement.text, values: [...values] }),
      ),
    );
    return rows as Row[];
  }

  /**
   * Creates a batcher, whose statements run outside the requests of their callers.
   * @param name of the statement, for metrics
   * @param conflictKey of calls that must not share a statement
   */
  batcher<Key, Result>(
    name: string,
    send: (keys: readonly Key[]) => Promise<readonly Result[]>,
    conflictKey?: BatcherOptions<Key>['conflictKey'],
  ): Batcher<Key, Result> {
    const onSend = (callers: number): void => this.callers.observe({ statement: name }, callers);
    const batcher = new Batcher(send, { conflictKey, onSend });
    this.lines.push(batcher);
    return batcher;
  }

  /**
   * Runs `work` in one transaction, and again from the start after a deadlock. So `work` must have no effects outside
   * the database, and use only the given manager.
   * @throws UnavailableError when the database is unavailable
   */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.retried('write', (timeoutMs) =>
      this.onRunner(timeoutMs, async (runner) => {
        await runner.startTransaction();
        const result = await work(runner.manager);
        await runner.commitTransaction();
        for (const sequel of this.sequels.get(runner.manager) ?? []) runDetached(sequel);
        return result;
      }),
    );
  }

  /**
   * Runs `sequel` after the commit, outside the request; not after a rollback. A crash may prevent it, so required work
   * must be stored in the tables.
   */
  afterCommit(tx: EntityManager, sequel: () => void): void {
    this.sequels.set(tx, [...(this.sequels.get(tx) ?? []), sequel]);
  }

  /**
   * Reads or writes entities, each statement in its own transaction.
   * @throws UnavailableError when the database is unavailable
   */
  entities<T>(work: (manager: EntityManager) => Promise<T>, kind: Work = 'read'): Promise<T> {
    return this.retried(kind, (timeoutMs) =>
      this.onRunner(timeoutMs, (runner) => work(runner.manager)),
    );
  }

  /**
   * Checks that the database responds, bypassing the limiter, because a full queue is no fault of the database. Call it
   * one at a time, not per request.
   * @throws UnavailableError when the database is unavailable
   */
  async ping(): Promise<void> {
    const ask = () => this.onClient(PING_TIMEOUT_MS, (client) => client.query('SELECT 1'));
    await runDetached(ask).catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  /** Whether the server recently rejected a write, for example because of a full disk; reads may work. */
  get refusesWrites(): boolean {
    return performance.now() - this.refusedAt < REFUSED_MS;
  }

  /** Whether transactions are serialized: the embedded database has one session. */
  get isOneSession(): boolean {
    return this.connection.kind === 'embedded';
  }

  /** Connections in use and idle, queued work and number of rejections. */
  poolState(): { used: number; idle: number; waiting: number; refused: number } {
    const { totalCount, idleCount } = this.pool;
    return {
      used: totalCount - idleCount,
      idle: idleCount,
      waiting: sum(this.lines.map(({ waiting }) => waiting)),
      refused: sum(this.lines.map(({ refused }) => refused)),
    };
  }

  /**
   * Named statements need exclusive sessions: not behind a pooler, and not in the embedded database, whose single
   * session allows each name only once.
   */
  private get keepsNames(): boolean {
    return this.connection.kind === 'postgres' && !this.connection.isPooled;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async onClient<T>(
    timeoutMs: number,
    work: (client: DatabaseClient) => Promise<T>,
  ): Promise<T> {
    // An idle connection is available immediately.
    const isThere = this.pool.idleCount > this.pool.waitingCount;
    const connecting = this.pool.connect();
    const inLimit = isThere ? connecting : inTime(connecting, timeoutMs, (late) => late.release());
    const client = ours(await inLimit.catch(this.notConnected));
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // A statement's error does not spoil the connection.
      client.release(client.isSpoiled);
      throw this.reasonOf(error, client);
    }
  }

  private async onRunner<T>(
    timeoutMs: number,
    work: (runner: QueryRunner) => Promise<T>,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner() as Runner;
    const connecting: Promise<PoolClient> = runner.connect();
    const client = ours(
      await inTime(connecting, timeoutMs, () => void runner.release()).catch(this.notConnected),
    );
    try {
      const result = await work(runner);
      await runner.release();
      return result;
    } catch (error) {
      const isHealthy = !client.isSpoiled && (await isRolledBack(runner));
      await runner.releasePostgresConnection(isHealthy ? undefined : error);
      throw this.reasonOf(error, client);
    }
  }

  private readonly notConnected = (error: unknown): never => {
    this.dropIdle();
    throw new DatabaseUnavailableError(error);
  };

  /** If the connection was lost, that is the cause of any later error. */
  private reasonOf(error: unknown, client: DatabaseClient): unknown {
    if (client.isSilent) this.dropIdle();
    if (!client.lost || error instanceof UnavailableError) return error;
    return new DatabaseUnavailableError(client.lost);
  }

  /** When one connection became unresponsive, idle ones may be dead, too. */
  private dropIdle(): void {
    for (const client of this.idle) client.destroy();
  }

  private retried<T>(kind: Work, work: (timeoutMs: number) => Promise<T>): Promise<T> {
    return trackDeadline(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.limiter.pass(kind, work);
        } catch (error) {
          if (isSchemaFault(error)) this.onSchemaFault?.();
          if (refusesWrites(error)) this.refusedAt = performance.now();
          if (attempt === TRANSACTION_ATTEMPTS_MAX || !isRetryable(error))
            throw asUnavailable(error);
          await sleep(Math.random() * 20 * attempt);
        }
      }
    });
  }
}

/** Releases a connection that arrives after the timeout. */
function inTime<T>(coming: Promise<T>, ms: number, giveBack: (late: T) => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const limit = setTimeout(() => {
    coming.then(giveBack, () => undefined);
    reject(new Error('timeout exceeded when trying to connect'));
  }, ms);
  coming.then(resolve, reject);
  return promise.finally(() => clearTimeout(limit));
}

/** TypeORM's runner with its method to discard the connection, which its interface omits. */
interface Runner extends QueryRunner {
  releasePostgresConnection(error: unknown): Promise<void>;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The pool creates connections of this class. */
const ours = <Client extends object>(client: Client): Client & DatabaseClient =>
  client as Client & DatabaseClient;

async function isRolledBack(runner: QueryRunner): Promise<boolean> {
  if (!runner.isTransactionActive) return true;
  return runDetached(() => runner.rollbackTransaction()).then(
    () => true,
    () => false,
  );
}
