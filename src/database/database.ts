import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { Histogram } from 'prom-client';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { Problem } from '../http/problem.js';
import type { DatabaseClient } from './connection/client.js';
import { ConnectionGate, type Work } from './connection/connection-gate.js';
import { outsideRequest, spend } from './connection/time-budget.js';
import type { Connection } from './data-source.js';
import { Gathered, type GatheredOptions } from './gathered.js';
import { asProblem, away, isRetryable, isSchemaFault, refusesWrites } from './faults.js';

export const CONNECTION = Symbol('connection');

/** One SQL statement of a hot path. PostgreSQL keeps its plan under the name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Tries of a transaction that ends in a deadlock or a serialisation failure. */
export const TRANSACTION_ATTEMPTS_MAX = 3;

/** Milliseconds that a ping waits for the next connection that is free. */
const PING_TIMEOUT_MS = 3_000;

/** So long after a write that the server refused it counts as one that takes none. */
const REFUSED_MS = 60_000;

/** Words of statements that lock rows or write them. */
const WRITES = /\b(INSERT|UPDATE|DELETE|MERGE|LOCK)\b/;

const works = new WeakMap<Statement, Work>();

export function workOf(statement: Statement): Work {
  const known = works.get(statement);
  if (known) return known;
  const work = WRITES.test(statement.text) ? 'write' : 'read';
  works.set(statement, work);
  return work;
}

/** The doors to the database: one statement alone, or several in one transaction. */
@Injectable()
export class Database {
  /** How many callers one gathered statement served. */
  readonly callers = new Histogram({
    name: 'database_gathered_callers',
    help: 'Callers whose work one statement did.',
    labelNames: ['statement'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [],
  });
  /** Called when the tables are not what a statement takes them for. */
  onSchemaFault: (() => void) | undefined;
  /** Connections that wait in the pool for work. */
  private readonly idle = new Set<DatabaseClient>();
  private readonly sequels = new WeakMap<EntityManager, (() => void)[]>();
  private readonly gate: ConnectionGate;
  private readonly lines: Pick<ConnectionGate, 'waiting' | 'refused'>[];
  private refusedAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {
    this.gate = new ConnectionGate(this.pool.options.max);
    this.lines = [this.gate];
    this.pool.on('acquire', (client) => void this.idle.delete(ours(client)));
    this.pool.on('release', (_error, client) => void this.idle.add(ours(client)));
    this.pool.on('remove', (client) => void this.idle.delete(ours(client)));
  }

  /**
   * Runs one statement as a transaction of its own: one round trip.
   * @throws Problem `unavailable` when the database is away
   */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const named = this.keepsNames ? statement : { text: statement.text };
    const { rows } = await this.retried(workOf(statement), (timeoutMs) =>
      this.onClient(timeoutMs, (client) => client.query({ ...named, values: [...values] })),
    );
    return rows as Row[];
  }

  /**
   * A gate before the gate, for work that may be slow.
   * @param share of the connections, which such work takes at most
   */
  lane(share: number): ConnectionGate {
    const size = Math.max(1, Math.floor(this.pool.options.max * share));
    const lane = new ConnectionGate(size, { isSlow: true });
    this.lines.push(lane);
    return lane;
  }

  /**
   * Statements that each do the work of several callers, outside the requests of these.
   * @param name of the work, for the metrics
   * @param options who has to wait for whom
   */
  gathered<Key, Result>(
    name: string,
    send: (keys: readonly Key[]) => Promise<readonly Result[]>,
    options: Pick<GatheredOptions<Key>, 'apart' | 'isPatient'> = {},
  ): Gathered<Key, Result> {
    const onSend = (callers: number): void => this.callers.observe({ statement: name }, callers);
    const gathered = new Gathered(send, { ...options, onSend });
    this.lines.push(gathered);
    return gathered;
  }

  /**
   * Runs `work` in one transaction, again from its start after a deadlock; so `work` may have no
   * effect outside the database, and must use only the manager that it is given.
   * @throws Problem `unavailable` when the database is away
   */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.retried('write', (timeoutMs) =>
      this.onRunner(timeoutMs, async (runner) => {
        await runner.startTransaction();
        const result = await work(runner.manager);
        await runner.commitTransaction();
        for (const sequel of this.sequels.get(runner.manager) ?? []) outsideRequest(sequel);
        return result;
      }),
    );
  }

  /**
   * Does something once the transaction has committed, and nothing when it does not. It is no longer
   * the request's work. A crash may come between: what must happen stands in the tables.
   */
  afterCommit(tx: EntityManager, sequel: () => void): void {
    this.sequels.set(tx, [...(this.sequels.get(tx) ?? []), sequel]);
  }

  /**
   * Reads entities, or writes some, each statement a transaction of its own.
   * @throws Problem `unavailable` when the database is away
   */
  entities<T>(work: (manager: EntityManager) => Promise<T>, kind: Work = 'read'): Promise<T> {
    return this.retried(kind, (timeoutMs) =>
      this.onRunner(timeoutMs, (runner) => work(runner.manager)),
    );
  }

  /**
   * Whether the database answers, before everything that waits at the gate: a crowd is no fault of it.
   * Not for what callers can ask at will, but once at a time.
   * @throws Problem `unavailable` when the database is away
   */
  async ping(): Promise<void> {
    const ask = () => this.onClient(PING_TIMEOUT_MS, (client) => client.query('SELECT 1'));
    await outsideRequest(ask).catch((error: unknown) => {
      throw asProblem(error);
    });
  }

  /** Whether the server refused a write lately, as with a full disk; what it reads may be well. */
  get refusesWrites(): boolean {
    return performance.now() - this.refusedAt < REFUSED_MS;
  }

  /** Whether everybody waits for each transaction of another: the embedded database has one session. */
  get isOneSession(): boolean {
    return this.connection.kind === 'embedded';
  }

  /** Connections in use, idle and waited for, and how often somebody was sent away. */
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
   * Not in sessions that others use too: behind a pooler, and in the embedded database, which is one
   * session, in which a name can be taken only once.
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
    // One that lies there comes at once.
    const isThere = this.pool.idleCount > this.pool.waitingCount;
    const connecting = this.pool.connect();
    const inLimit = isThere ? connecting : inTime(connecting, timeoutMs, (late) => late.release());
    const client = ours(await inLimit.catch(this.notConnected));
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // An error of the statement is no fault of the connection.
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
    throw away(error);
  };

  /** Whatever was said after the connection was lost: that it was lost is why. */
  private reasonOf(error: unknown, client: DatabaseClient): unknown {
    if (client.isSilent) this.dropIdle();
    return client.lost && !(error instanceof Problem) ? away(client.lost) : error;
  }

  /** Where one connection went silent, those opened before it may be dead as well. */
  private dropIdle(): void {
    for (const client of this.idle) client.destroy();
  }

  private retried<T>(kind: Work, work: (timeoutMs: number) => Promise<T>): Promise<T> {
    return spend(async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.gate.pass(kind, work);
        } catch (error) {
          if (isSchemaFault(error)) this.onSchemaFault?.();
          if (refusesWrites(error)) this.refusedAt = performance.now();
          if (attempt === TRANSACTION_ATTEMPTS_MAX || !isRetryable(error)) throw asProblem(error);
          await sleep(Math.random() * 20 * attempt);
        }
      }
    });
  }
}

/** What comes too late is given back. */
function inTime<T>(coming: Promise<T>, ms: number, giveBack: (late: T) => void): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const limit = setTimeout(() => {
    coming.then(giveBack, () => undefined);
    reject(new Error('timeout exceeded when trying to connect'));
  }, ms);
  coming.then(resolve, reject);
  return promise.finally(() => clearTimeout(limit));
}

/** What TypeORM's runner can do beside its interface: give its connection up for lost. */
interface Runner extends QueryRunner {
  releasePostgresConnection(error: unknown): Promise<void>;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** The pool's connections are of our own class. */
const ours = <Client extends object>(client: Client): Client & DatabaseClient =>
  client as Client & DatabaseClient;

async function isRolledBack(runner: QueryRunner): Promise<boolean> {
  if (!runner.isTransactionActive) return true;
  return outsideRequest(() => runner.rollbackTransaction()).then(
    () => true,
    () => false,
  );
}
