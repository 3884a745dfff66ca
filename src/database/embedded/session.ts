import { setImmediate } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { PreparedStatementCache } from './prepared-statement-cache.js';
import { endsIdle, query, splitNotifications, startup, sync } from './protocol.js';

/** A virtual connection of the session. */
export interface SessionClient {
  notify(message: Buffer): void;
}

interface Waiter {
  readonly client: SessionClient;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** Sent to the client as SQLSTATE 55P03, lock_not_available. */
export class DatabaseBusyError extends Error {
  constructor(waitedMs: number) {
    super(
      `the embedded database stayed busy with another transaction for ${waitedMs} ms; ` +
        "inside a transaction, use that transaction's own manager for every query",
    );
    this.name = 'DatabaseBusyError';
  }
}

/**
 * Ends an open transaction. Three messages, because PostgreSQL skips everything up to the next Sync after an error,
 * while a leading Sync would commit what was executed without one.
 */
const ROLLBACK = Buffer.concat([query('ROLLBACK'), sync, query('ROLLBACK')]);
const DISCARD = query('DISCARD ALL');

/**
 * PGlite's single session, lent to one client at a time in FIFO order, until PostgreSQL is ready outside a transaction;
 * so transactions never interleave.
 */
export class Session {
  private owner: SessionClient | undefined;
  private readonly waiting: Waiter[] = [];
  private readonly clients = new Set<SessionClient>();
  private readonly statements = new PreparedStatementCache();
  private closed = false;

  private constructor(
    private readonly db: PGlite,
    private readonly waitMs: number,
    /** PostgreSQL's response to a startup message. */
    readonly greeting: Buffer,
  ) {}

  /** @param waitMs maximum wait of a turn for another client's transaction, in milliseconds */
  static async start(db: PGlite, waitMs: number): Promise<Session> {
    return new Session(db, waitMs, await execute(db, startup()));
  }

  join(client: SessionClient): void {
    if (this.closed) throw new Error('the embedded database is closed');
    this.clients.add(client);
  }

  /**
   * Runs one turn and returns PostgreSQL's response.
   *
   * @throws DatabaseBusyError when another client's transaction does not end within `waitMs`
   */
  async run(client: SessionClient, messages: Buffer): Promise<Buffer> {
    if (this.owner !== client) await this.acquire(client);
    // No real I/O happens here: without this pause, a loop of queries starves timers and sockets.
    await setImmediate();
    if (!this.clients.has(client)) throw connectionClosed();
    const shortened = this.statements.shorten(messages);
    const said = splitNotifications(await execute(this.db, shortened.messages));
    const answer = shortened.heard(said.answer);
    for (const notification of said.notifications) this.notifyAll(notification);
    if (this.owner === client && endsIdle(answer)) this.passOn();
    return answer;
  }

  /** Rolls back the transaction of a disconnected client; resets the session after the last one. */
  async leave(client: SessionClient): Promise<void> {
    if (!this.clients.delete(client)) return;
    const waiter = this.waiting.find((each) => each.client === client);
    if (waiter) this.refuse(waiter, connectionClosed());
    const last = this.clients.size === 0;
    if (this.owner !== client && !last) return;
    if (last) this.statements.clear();
    try {
      await execute(this.db, last ? Buffer.concat([ROLLBACK, DISCARD]) : ROLLBACK);
    } finally {
      if (this.owner === client) this.passOn();
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await execute(this.db, query('CHECKPOINT'));
    await this.db.close();
  }

  private notifyAll(notification: Buffer): void {
    for (const client of this.clients) client.notify(notification);
  }

  private acquire(client: SessionClient): Promise<void> {
    if (!this.owner) {
      this.owner = client;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { client, resolve, reject };
    this.waiting.push(waiter);
    const timer = setTimeout(
      () => this.refuse(waiter, new DatabaseBusyError(this.waitMs)),
      this.waitMs,
    );
    return promise.finally(() => clearTimeout(timer));
  }

  /** Removes the waiter immediately, so that the session is not passed to it. */
  private refuse(waiter: Waiter, reason: Error): void {
    this.waiting.splice(this.waiting.indexOf(waiter), 1);
    waiter.reject(reason);
  }

  private passOn(): void {
    const next = this.waiting.shift();
    this.owner = next?.client;
    next?.resolve();
  }
}

/** Executes before it returns: PGlite works synchronously. */
async function execute(db: PGlite, messages: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await db.execProtocolRawStream(messages, {
    syncToFs: false,
    // Copied, because PGlite passes a view of its memory.
    onRawData: (bytes) => chunks.push(Buffer.from(bytes)),
  });
  return Buffer.concat(chunks);
}

function connectionClosed(): Error {
  return new Error('the connection to the embedded database was closed');
}
