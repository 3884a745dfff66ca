import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { unavailable } from '../common/problem.js';
import { CONNECTION } from './database.js';
import { type CopySession, EmbeddedCopySession, ServerCopySession } from './copy-session.js';
import type { Connection } from './data-source.js';
import { asProblem } from './faults.js';

/**
 * Who copies, and how many connections each may hold in one process: beside those of the pool, so
 * that a slow reader keeps no request waiting.
 */
const CONNECTIONS_MAX = { download: 4, export: 2 } as const;
export type CopyLane = keyof typeof CONNECTIONS_MAX;

/** Whoever does not read on for so long is dropped, in milliseconds. */
export const STALLED_MS = 120_000;

export interface CopyOptions {
  readonly lane: CopyLane;
  /** An IANA name: the zone in which the session writes times. */
  readonly timeZone: string;
  /** Ends the session, whatever it is doing. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, `STALLED_MS` when left out. */
  readonly stalledMs?: number;
}

/** The door for files: rows leave as the database writes them and never stand in memory together. */
@Injectable()
export class DatabaseCopy implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly sessions: Record<CopyLane, Set<CopySession>> = {
    download: new Set(),
    export: new Set(),
  };

  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /**
   * Opens a session in a snapshot of its own. Its reader ends it: with the last byte, by destroying
   * the stream, or with `close`.
   * @throws Problem `unavailable` when there are too many or the database is away
   */
  async open({
    lane,
    timeZone,
    signal,
    stalledMs = STALLED_MS,
  }: CopyOptions): Promise<CopySession> {
    const { connection } = this;
    const open = this.sessions[lane];
    if (open.size >= CONNECTIONS_MAX[lane]) {
      throw unavailable('Too many files are being written at the moment.');
    }
    const limits = { name: `orders ${lane}`, timeZone, stalledMs };
    const session =
      connection.kind === 'postgres'
        ? new ServerCopySession(connection.connectionString, limits)
        : new EmbeddedCopySession(connection.stream, limits);
    open.add(session);
    session.onEnd(() => open.delete(session));
    signal?.addEventListener('abort', () => session.close(), { once: true });
    try {
      signal?.throwIfAborted();
      await session.start();
      return session;
    } catch (error) {
      session.close();
      throw asProblem(error);
    }
  }

  /** Sessions that are open. */
  count(lane: CopyLane): number {
    return this.sessions[lane].size;
  }

  /**
   * The process does not wait for readers. One whose file is cut sees that: the last chunk of the
   * answer never comes. Exports are stopped by whoever writes them.
   */
  beforeApplicationShutdown(): void {
    this.closeAll('download');
  }

  onApplicationShutdown(): void {
    this.closeAll('export');
  }

  private closeAll(lane: CopyLane): void {
    for (const session of this.sessions[lane]) session.close();
  }
}
