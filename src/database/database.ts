import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { Connection } from './data-source.js';
import { asProblem, isConnectionSpoiled, isRetryable } from './faults.js';

export const CONNECTION = Symbol('connection');

/** One SQL statement of a hot path. PostgreSQL keeps its plan under the name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Tries of a transaction that ends in a deadlock or a serialisation failure. */
export const TRIES_MAX = 3;

/** What of a client leads to its socket. */
interface Connected {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** The doors to the database: one statement alone, or several in one transaction. */
@Injectable()
export class Database {
  /** Connections that wait in the pool for work. */
  private readonly idle = new Set<PoolClient>();
  private readonly sequels = new WeakMap<EntityManager, (() => void)[]>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {
    this.pool.on('acquire', (client) => void this.idle.delete(client));
    this.pool.on('release', (_error, client) => void this.idle.add(client));
    this.pool.on('remove', (client) => void this.idle.delete(client));
  }

  /**
   * Runs one statement as a transaction of its own: one round trip.
   * @throws Problem `unavailable` when the database is away
   */
  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    // The embedded database is one session, in which a name can be taken only once.
    const named = this.connection.kind === 'postgres' ? statement : { text: statement.text };
    const result = await this.retried(() => this.pool.query({ ...named, values: [...values] }));
    return result.rows as Row[];
  }

  /**
   * Runs `work` in one transaction, again from its start after a deadlock; so `work` may have no
   * effect outside the database, and must use only the manager that it is given.
   * @throws Problem `unavailable` when the database is away
   */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.retried(() =>
      this.connected(async (runner) => {
        await runner.startTransaction();
        const result = await work(runner.manager);
        await runner.commitTransaction();
        for (const sequel of this.sequels.get(runner.manager) ?? []) sequel();
        return result;
      }),
    );
  }

  /**
   * Does something once the transaction has committed, and nothing when it does not. A crash may
   * come between: what must happen stands in the tables.
   */
  afterCommit(tx: EntityManager, sequel: () => void): void {
    this.sequels.set(tx, [...(this.sequels.get(tx) ?? []), sequel]);
  }

  /**
   * Reads or writes entities, each statement a transaction of its own.
   * @throws Problem `unavailable` when the database is away
   */
  entities<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.retried(() => this.connected((runner) => work(runner.manager)));
  }

  /** Connections in use, idle and waited for. */
  poolState(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async connected<T>(work: (runner: QueryRunner) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      return await work(runner);
    } catch (error) {
      if (isConnectionSpoiled(error) || !(await isRolledBack(runner))) {
        drop(await runner.connect().catch(() => undefined));
      }
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Where one connection went silent, those opened before it may be dead as well. */
  private dropIdle(): void {
    for (const client of this.idle) drop(client);
  }

  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (isConnectionSpoiled(error)) this.dropIdle();
        if (tries === TRIES_MAX || !isRetryable(error)) throw asProblem(error);
        await sleep(Math.random() * 20 * tries);
      }
    }
  }
}

async function isRolledBack(runner: QueryRunner): Promise<boolean> {
  if (!runner.isTransactionActive) return true;
  return runner.rollbackTransaction().then(
    () => true,
    () => false,
  );
}

/** Ends the connection at once; the pool forgets it. */
function drop(client: PoolClient | undefined): void {
  (client as unknown as Connected | undefined)?.connection.stream.destroy();
}
