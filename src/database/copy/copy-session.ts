import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { canonicalZone } from '../../common/time-format.js';
import { endWithBrokenRows } from '../connection/broken-answers.js';
import { DatabaseClient } from '../connection/client.js';
import { POOL_LIMITS } from '../data-source.js';
import { asProblem } from '../faults.js';
import { CopyStream } from './copy-stream.js';
import { literal } from './literals.js';

/** Rows in a strict order, as a whole and in parts that follow each other. */
export interface CopySource {
  /** `COPY … TO STDOUT` of the rows behind the place `after`, up to and with the place `to`. */
  rows(after: string | null, to: string | null): string;
  /** Sums of the same rows. */
  totals(after: string | null, to: string | null): string;
  /** Selects the `place` of the last row of the next part; no row when the part is the last. */
  lastPlace(after: string | null): string;
}

/** Is given the sums of what is copied, in as many parts as there are. */
export type OnTotals = (rows: readonly unknown[]) => void;

export interface SessionLimits {
  /** As which the session is seen by the database. */
  readonly name: string;
  readonly timeZone: string;
  readonly stalledMs: number;
}

/** One connection of its own, in which a file is asked for and read. */
export interface CopySession {
  start(): Promise<void>;
  /** @throws Problem `unavailable` when the database is away */
  query<Row>(text: string): Promise<Row[]>;
  /**
   * Answers once the first row is there. The stream ends the session.
   * @throws Problem `unavailable` when the database is away
   */
  copy(source: CopySource, onTotals?: OnTotals): Promise<Readable>;
  /** At once; a stream that is not at its end breaks. */
  close(): void;
  /** Called once, when nothing more is asked of the connection. */
  onEnd(listener: () => void): void;
}

/** Milliseconds after which the server looks whether the reader is still there. */
const CHECK_MS = 1_000;
/** Milliseconds that the end of a session may take. */
const FAREWELL_MS = 3_000;

/**
 * One snapshot. The plan follows an index, so that the first row leaves at once and nothing is kept
 * for those behind it: joins look up row by row, and compiling the statement would take longer than
 * it saves. The server does not know everywhere how to look for its reader.
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

/** Rows up to a place, or the last ones. */
interface Part {
  readonly rows: Buffer;
  readonly to: string | null;
}

/** What both kinds of session do alike with their one connection. */
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
    // Whoever waits for an answer is told as well.
    this.client.on('error', () => this.closeNow());
  }

  /** The driver never answers when it is told to end while it connects. */
  async connect(): Promise<void> {
    const { promise: closed, reject } = Promise.withResolvers<never>();
    this.onEnd(() => reject(new Error('the session was closed')));
    await Promise.race([this.client.connect(), closed]);
  }

  async query<Row>(text: string): Promise<Row[]> {
    try {
      return (await this.client.query(text)).rows as Row[];
    } catch (error) {
      throw asProblem(error);
    }
  }

  /** Answers once the first row is there. The stream ends the connection. */
  async read(rows: Readable): Promise<Readable> {
    const file = (this.file = new CopyStream(rows, this.stalledMs, this));
    await once(file, 'readable').catch((error: unknown) => {
      throw asProblem(error);
    });
    return file;
  }

  onEnd(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** When everything is read; a database that says nothing more is not waited for. */
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

  /** Without a farewell, so that the server stops what it is doing. */
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

/** A session on a server: the rows come through as fast as they are read. */
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
 * A session on the embedded database, which puts a whole answer into memory and works for nobody
 * else meanwhile. So the rows are asked for in parts, each in a transaction that is over before the
 * part is read. What changes between two parts may show in the later one.
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
