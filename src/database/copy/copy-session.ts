import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { canonicalZone } from '../../common/time/time-format.js';
import { endWithBrokenRows } from '../connection/broken-answers.js';
import { DatabaseClient } from '../connection/client.js';
import { POOL_LIMITS } from '../data-source.js';
import { asUnavailable } from '../faults.js';
import { CopyStream } from './copy-stream.js';
import { literal } from './literals.js';

/** Rows in a total order, as a whole or in consecutive chunks. */
export interface CopySource {
  /** `COPY … TO STDOUT` of the rows after the position `after`, up to and including `to`. */
  rows(after: string | null, to: string | null): string;
  /** Totals of the same rows. */
  totals(after: string | null, to: string | null): string;
  /** Selects the position (`place`) of the last row of the next chunk; no row for the last chunk. */
  lastPlace(after: string | null): string;
}

/** Receives the totals of the copied rows, per chunk. */
export type OnTotals = (rows: readonly unknown[]) => void;

export interface SessionLimits {
  /** `application_name` of the session. */
  readonly name: string;
  readonly timeZone: string;
  readonly stalledMs: number;
}

/** A dedicated connection for reading one file. */
export interface CopySession {
  start(): Promise<void>;
  /** @throws UnavailableError when the database is unavailable */
  query<Row>(text: string): Promise<Row[]>;
  /**
   * Resolves when the first row is available. The stream ends the session.
   * @throws UnavailableError when the database is unavailable
   */
  copy(source: CopySource, onTotals?: OnTotals): Promise<Readable>;
  /** Closes immediately; an unfinished stream fails. */
  close(): void;
  /** Called once, when the connection is no longer used. */
  onEnd(listener: () => void): void;
}

/** Interval at which the server checks that the client is connected, in milliseconds. */
const CHECK_MS = 1_000;
/** Timeout for ending a session, in milliseconds. */
const FAREWELL_MS = 3_000;

/**
 * One snapshot. The settings make the planner follow an index with nested loops, so that the first row is sent
 * immediately and nothing is sorted or hashed; JIT would take longer than it saves. `client_connection_check_interval`
 * is not supported on all platforms.
 */
export const beginOf = (timeZone: string): string => `
  BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
  SET LOCAL statement_timeout = 0;
  SET LOCAL lock_timeout = ${POOL_LIMITS.lock_timeout};
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL TIME ZONE ${literal(canonicalZone(timeZone))};
  SET LOCAL DateStyle = 'ISO, YMD';
  SET LOCAL jit = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL max_parallel_workers_per_gather = 0;
  SET LOCAL random_page_cost = 1.1;
  DO $$ BEGIN
    PERFORM set_config('client_connection_check_interval', '${CHECK_MS}', true);
  EXCEPTION WHEN OTHERS THEN NULL;
  END $$`;

/** Rows up to a position, or the last ones. */
interface Part {
  readonly rows: Buffer;
  readonly to: string | null;
}

/** Common parts of both kinds of session. */
class OwnConnection {
  readonly client: DatabaseClient;
  private readonly listeners: (() => void)[] = [];
  private isEnding = false;
  private isClosed = false;
  private file: CopyStream | undefined;

  constructor(
    config: pg.ClientConfig,
    private readonly stalledMs: number,
  ) {
    const { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis } = POOL_LIMITS;
    const limits = { keepAlive, keepAliveInitialDelayMillis, connectionTimeoutMillis };
    this.client = new DatabaseClient({ ...config, ...limits });
    // Pending queries are rejected, too.
    this.client.on('error', () => this.closeNow());
  }

  /** Rejects on close: the driver's `connect` never settles when it is ended while connecting. */
  async connect(): Promise<void> {
    const { promise: closed, reject } = Promise.withResolvers<never>();
    this.onEnd(() => reject(new Error('the session was closed')));
    await Promise.race([this.client.connect(), closed]);
  }

  async query<Row>(text: string): Promise<Row[]> {
    try {
      return (await this.client.query(text)).rows as Row[];
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Resolves when the first row is available. The stream ends the connection. */
  async read(rows: Readable): Promise<Readable> {
    const file = (this.file = new CopyStream(rows, this.stalledMs, this));
    await once(file, 'readable').catch((error: unknown) => {
      throw asUnavailable(error);
    });
    return file;
  }

  onEnd(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Ends the session after the last row; does not wait for an unresponsive database. */
  readonly end = (): void => {
    if (this.isEnding || this.isClosed) return;
    this.isEnding = true;
    this.announce();
    const limit = setTimeout(this.closeNow, FAREWELL_MS);
    void this.client
      .query('COMMIT')
      .then(() => this.client.end())
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(limit);
        this.closeNow();
      });
  };

  /** Closes without COMMIT, so that the server stops. */
  readonly close = (): void => {
    if (!this.isEnding) this.closeNow();
    this.file?.destroy(new Error('the session was closed'));
  };

  private readonly closeNow = (): void => {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.end().catch(() => undefined);
    this.announce();
  };

  private announce(): void {
    for (const listener of this.listeners.splice(0)) listener();
  }
}

/** A session on a server, streaming rows with backpressure. */
export class ServerCopySession implements CopySession {
  private readonly own: OwnConnection;

  constructor(
    connectionString: string,
    private readonly limits: SessionLimits,
  ) {
    const config = { connectionString, application_name: limits.name };
    this.own = new OwnConnection(config, limits.stalledMs);
  }

  async start(): Promise<void> {
    await this.own.connect();
    await this.own.client.query(beginOf(this.limits.timeZone));
  }

  query<Row>(text: string): Promise<Row[]> {
    return this.own.query(text);
  }

  async copy(source: CopySource, onTotals?: OnTotals): Promise<Readable> {
    if (onTotals) onTotals(await this.query(source.totals(null, null)));
    return this.own.read(this.own.client.query(endWithBrokenRows(copyTo(source.rows(null, null)))));
  }

  close(): void {
    this.own.close();
  }

  onEnd(listener: () => void): void {
    this.own.onEnd(listener);
  }
}

/**
 * A session on the embedded database, which holds a whole result in memory and serves no other request meanwhile. So
 * rows are read in chunks, each in its own transaction, which ends before the chunk is sent. Concurrent changes may be
 * visible in later chunks.
 */
export class EmbeddedCopySession implements CopySession {
  private readonly own: OwnConnection;

  constructor(
    stream: () => Duplex,
    private readonly limits: SessionLimits,
  ) {
    this.own = new OwnConnection({ stream, ssl: false }, limits.stalledMs);
  }

  async start(): Promise<void> {
    await this.own.connect();
  }

  query<Row>(text: string): Promise<Row[]> {
    return this.own.query(text);
  }

  async copy(source: CopySource, onTotals?: OnTotals): Promise<Readable> {
    return this.own.read(Readable.from(this.parts(source, onTotals), { objectMode: false }));
  }

  close(): void {
    this.own.close();
  }

  onEnd(listener: () => void): void {
    this.own.onEnd(listener);
  }

  private async *parts(source: CopySource, onTotals?: OnTotals): AsyncGenerator<Buffer> {
    let after: string | null = null;
    do {
      const { rows, to }: Part = await this.part(source, after, onTotals);
      if (rows.length > 0) yield rows;
      after = to;
    } while (after !== null);
  }

  private async part(source: CopySource, after: string | null, onTotals?: OnTotals): Promise<Part> {
    const { client } = this.own;
    await client.query(
      `BEGIN READ ONLY; SET LOCAL TIME ZONE ${literal(canonicalZone(this.limits.timeZone))}`,
    );
    const last: { place: string }[] = await this.query(source.lastPlace(after));
    const to = last[0]?.place ?? null;
    if (onTotals) onTotals(await this.query(source.totals(after, to)));
    const rows = await buffer(client.query(endWithBrokenRows(copyTo(source.rows(after, to)))));
    await client.query('COMMIT');
    return { rows, to };
  }
}
