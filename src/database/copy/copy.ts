import type { Readable } from 'node:stream';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Bulkhead } from '../../overload/bulkhead.js';
import type { Connection } from '../data-source.js';
import { CONNECTION } from '../database.js';
import { asUnavailable } from '../faults.js';
import {
  type CopySession,
  type CopySource,
  EmbeddedCopySession,
  ServerCopySession,
} from './copy-session.js';
import { OverloadedError } from '../../overload/errors.js';

/**
 * Maximum connections per merchant and in total by kind of copy, in each process. They are separate from the pool, so
 * that a slow reader does not delay requests. A snapshot prevents vacuuming, so none is older than `ageMs`
 * (milliseconds). A stored file needs neither connection nor snapshot, but a megabyte of memory per reader.
 */
const LANES = {
  download: { perKey: 2, max: 6, ageMs: 15 * 60_000 },
  export: { perKey: 2, max: 2, ageMs: 60 * 60_000 },
  stored: { perKey: 4, max: 20, ageMs: 60 * 60_000 },
} as const;
type Lane = keyof typeof LANES;
export type CopyLane = Exclude<Lane, 'stored'>;

/** Timeout for stalled readers, in milliseconds. */
export const STALLED_MS = 30_000;

export interface CopyOptions {
  readonly lane: CopyLane;
  /** The merchant whose rows are copied; null = all, limited like one merchant. */
  readonly merchantId: string | null;
  /** IANA time zone of the session. */
  readonly timeZone: string;
  /** Aborts the session. */
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds; default `STALLED_MS`. */
  readonly stalledMs?: number;
  /** Maximum duration in milliseconds; default of the lane. */
  readonly ageMs?: number;
}

/** Streams files from the database with COPY; rows are never all in memory. */
@Injectable()
export class DatabaseCopy implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly slots: Record<Lane, Bulkhead> = {
    download: new Bulkhead(LANES.download),
    export: new Bulkhead(LANES.export),
    stored: new Bulkhead(LANES.stored),
  };
  private readonly sessions: Record<CopyLane, Set<CopySession>> = {
    download: new Set(),
    export: new Set(),
  };

  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  /**
   * Opens a session with its own snapshot. It ends with the last byte, when the stream is destroyed, or by `close`.
   * @throws UnavailableError when the limit is reached or the database is unavailable
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
      throw asUnavailable(error);
    }
  }

  /**
   * Streams rows to a merchant's user. Closing the stream closes its session.
   * @throws UnavailableError as `open` does
   */
  async download(
    source: CopySource,
    options: Pick<CopyOptions, 'merchantId' | 'timeZone' | 'signal'>,
  ): Promise<Readable> {
    const session = await this.open({ lane: 'download', ...options });
    try {
      return await session.copy(source);
    } catch (error) {
      session.close();
      throw error;
    }
  }

  /**
   * Takes a slot.
   * @param end called when the slot is held for too long
   * @returns a function that releases it
   * @throws UnavailableError when none is free
   */
  enter(
    lane: Lane,
    merchantId: string | null,
    end: () => void,
    ageMs: number = LANES[lane].ageMs,
  ): () => void {
    const leave = this.slots[lane].tryEnter(merchantId ?? 'all');
    if (!leave)
      throw new OverloadedError('Too many files are being written or read at the moment.');
    const oldest = setTimeout(end, ageMs).unref();
    return () => {
      clearTimeout(oldest);
      leave();
    };
  }

  /** Slots in use. */
  count(lane: Lane): number {
    return this.slots[lane].running;
  }

  /**
   * The process does not wait for readers. A reader notices a truncated file, because the last chunk of the response is
   * missing. Exports are stopped by their job.
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
