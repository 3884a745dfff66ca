import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
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

/** The two doors to the database: one statement alone, or several in one transaction. */
@Injectable()
export class Database {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONNECTION) private readonly connection: Connection,
  ) {}

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
    return this.retried(() => this.once(work));
  }

  /** Connections in use, idle and waited for. */
  poolState(): { used: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  private async once<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      const result = await work(runner.manager);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (isConnectionSpoiled(error))
        await this.drop(await runner.connect().catch(() => undefined));
      else if (runner.isTransactionActive)
        await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Ends the connection at once; the pool forgets it. */
  private async drop(client: unknown): Promise<void> {
    const stream = (client as { connection?: { stream?: { destroy(): void } } } | undefined)
      ?.connection?.stream;
    stream?.destroy();
  }

  private async retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (tries === TRIES_MAX || !isRetryable(error)) throw asProblem(error);
        await sleep(Math.random() * 20 * tries);
      }
    }
  }
}
