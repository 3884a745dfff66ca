import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { SlotPool } from '../../common/waiting/slot-pool.js';
import { unavailable } from '../../http/problem.js';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';
import { asProblem } from '../faults.js';
import { type CopySession, EmbeddedCopySession, ServerCopySession } from './copy-session.js';

/**
 * Who copies, and how many connections one merchant and all may hold in one process: beside those of
 * the pool, so that a slow reader keeps no request waiting. A snapshot keeps the database from
 * clearing up what has changed since, so none is older than `ageMs`, in milliseconds. A stored file
 * needs neither, but a megabyte of memory for each reader.
 */
const LANES = {
  download: { perHolder: 2, inAll: 6, ageMs: 15 * 60_000 },
  export: { perHolder: 2, inAll: 2, ageMs: 60 * 60_000 },
  stored: { perHolder: 4, inAll: 20, ageMs: 60 * 60_000 },
} as const;
type Lane = keyof typeof LANES;
export type CopyLane = Exclude<Lane, 'stored'>;

/** Whoever does not read on for so long is dropped, in milliseconds. */
export const STALLED_MS = 30_000;

export interface CopyOptions {
  readonly lane: CopyLane;
  /** The merchant whose rows are copied; null = all, which is a holder of its own. */
  readonly merchantId: string | null;
  /** An IANA name: the zone in which the session writes times. */
  readonly timeZone: string;
  /** Ends the session, whatever it is doing. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds, `STALLED_MS` when left out. */
  readonly stalledMs?: number;
  /** Milliseconds that the session may last, those of the lane when left out. */
  readonly ageMs?: number;
}

/** The door for files: rows leave as the database writes them and never stand in memory together. */
@Injectable()
export class DatabaseCopy implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly slots: Record<Lane, SlotPool> = {
    download: new SlotPool(LANES.download),
    export: new SlotPool(LANES.export),
    stored: new SlotPool(LANES.stored),
  };
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
    merchantId,
    timeZone,
    signal,
    stalledMs = STALLED_MS,
    ageMs = LANES[lane].ageMs,
  }: CopyOptions): Promise<CopySession> {
    const { connection } = this;
    const open = this.sessions[lane];
    const leave = this.enter(lane, merchantId, () => session.close(), ageMs);
    const limits = { name: `orders ${lane}`, timeZone, stalledMs };
    const session =
      connection.kind === 'postgres'
        ? new ServerCopySession(connection.connectionString, limits)
        : new EmbeddedCopySession(connection.stream, limits);
    open.add(session);
    session.onEnd(() => {
      open.delete(session);
      leave();
    });
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

  /**
   * Takes a place.
   * @param end is called when it has been held for too long
   * @returns what gives it back
   * @throws Problem `unavailable` when there is none
   */
  enter(
    lane: Lane,
    merchantId: string | null,
    end: () => void,
    ageMs: number = LANES[lane].ageMs,
  ): () => void {
    const leave = this.slots[lane].enter(merchantId ?? 'all');
    if (!leave) throw unavailable('Too many files are being written or read at the moment.');
    const oldest = setTimeout(end, ageMs).unref();
    return () => {
      clearTimeout(oldest);
      leave();
    };
  }

  /** Places that are taken. */
  count(lane: Lane): number {
    return this.slots[lane].size;
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
