import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Mode } from '../entities/api-key.entity.js';
import type { Export } from '../entities/export.entity.js';
import { violatedUnique } from '../faults.js';
import {
  CANCEL,
  CHUNK,
  CLAIM,
  FIND,
  FINISH,
  FORGET_CHUNKS,
  FORGET_OLDEST,
  INSERT,
  LIST,
  PROGRESS,
  PURGE,
  RELEASE,
  TAKE_TURN,
  TOLD,
  UNTOLD,
  WRITE_CHUNK,
} from './export.statements.js';

/** Whose exports: a merchant's people share theirs; a merchant of null means the platform's. */
export interface ExportOwner {
  readonly merchantId: string | null;
  readonly mode: Mode;
  /** Only those that this user asked for. */
  readonly requestedBy?: string;
}

export type NewExport = Pick<
  Export,
  'id' | 'merchantId' | 'mode' | 'requestedBy' | 'request' | 'query' | 'createdAt'
>;

/** An export as everybody may see it. */
export type ExportRow = Omit<Export, 'place' | 'leaseUntil' | 'toldAt'>;

/** What a worker holds. */
export type Held = Pick<Export, 'id' | 'attempts'>;

export interface Progress {
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
  /** Until when nobody else may take the export over. */
  readonly leaseUntil: Date;
}

/** How an export ends: ready with a manifest, or failed without. */
export type Ending = Pick<Export, 'rowsDone' | 'rowsTotal' | 'manifest'> & {
  readonly finishedAt: Date;
  readonly expiresAt: Date;
};

/** Exports and their files. Methods for workers do nothing once the export is somebody else's. */
@Injectable()
export class ExportRepository {
  constructor(private readonly database: Database) {}

  /**
   * Makes room for it: of the owner's exports at most `max` stand.
   * @returns false when the owner's merchant has `max` that are not finished
   */
  insert(row: NewExport, max: number): Promise<boolean> {
    const { id, merchantId, mode, requestedBy, request, query, createdAt } = row;
    const values = [id, merchantId, mode, requestedBy, request, query, createdAt, max];
    return this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [merchantId]);
      const inserted: unknown[] = await tx.query(INSERT, values);
      if (inserted.length === 0) return false;
      await tx.query(FORGET_OLDEST, [merchantId, mode, max]);
      return true;
    });
  }

  /** The newest first. */
  list({ merchantId, mode, requestedBy }: ExportOwner, limit: number): Promise<ExportRow[]> {
    return this.database.query(LIST, [merchantId, mode, requestedBy ?? null, limit]);
  }

  async find(
    { merchantId, mode, requestedBy }: ExportOwner,
    id: string,
  ): Promise<ExportRow | null> {
    const values = [merchantId, mode, requestedBy ?? null, id];
    return (await this.database.query<ExportRow>(FIND, values))[0] ?? null;
  }

  /**
   * Takes the next export until `until`.
   * @param perMerchant how many may run at the same time
   * @returns null when nothing waits, or another worker was faster
   */
  async claim(now: Date, until: Date, perMerchant: number): Promise<ExportRow | null> {
    try {
      const rows = await this.database.query<ExportRow>(CLAIM, [now, until, perMerchant]);
      return rows[0] ?? null;
    } catch (error) {
      if (violatedUnique(error)) return null;
      throw error;
    }
  }

  /** Forgets what a worker before has written. */
  async forgetChunks({ id, attempts }: Held): Promise<void> {
    await this.database.query(FORGET_CHUNKS, [id, attempts]);
  }

  /** @returns false when the export is no longer the worker's */
  async progress({ id, attempts }: Held, progress: Progress): Promise<boolean> {
    const { leaseUntil, rowsDone, rowsTotal } = progress;
    const values = [id, attempts, leaseUntil, rowsDone, rowsTotal];
    return (await this.database.query(PROGRESS, values)).length === 1;
  }

  /** @returns false when the export is no longer the worker's; then nothing is written */
  async writeChunk(
    { id, attempts }: Held,
    progress: Progress,
    number: number,
    content: Buffer,
  ): Promise<boolean> {
    const { leaseUntil, rowsDone, rowsTotal } = progress;
    const values = [id, attempts, leaseUntil, rowsDone, rowsTotal, number, content];
    return (await this.database.query(WRITE_CHUNK, values)).length === 1;
  }

  /** @returns false when the export is no longer the worker's */
  async finish({ id, attempts }: Held, ending: Ending): Promise<boolean> {
    const { manifest, finishedAt, expiresAt, rowsDone, rowsTotal } = ending;
    const status = manifest ? 'ready' : 'failed';
    const values = [id, attempts, status, finishedAt, expiresAt, rowsDone, rowsTotal, manifest];
    return (await this.database.query(FINISH, values)).length === 1;
  }

  /** Gives the export back, for another worker. */
  async release({ id, attempts }: Held): Promise<void> {
    await this.database.query(RELEASE, [id, attempts]);
  }

  /** @returns false when there is none that could be cancelled */
  async cancel(owner: ExportOwner, id: string, now: Date, expiresAt: Date): Promise<boolean> {
    const values = [owner.merchantId, owner.mode, owner.requestedBy ?? null, id, now, expiresAt];
    return (await this.database.query(CANCEL, values)).length === 1;
  }

  /** A piece of a gzip file, from 0 on; null behind the last one. */
  async chunk(id: string, number: number): Promise<Buffer | null> {
    const rows = await this.database.query<{ content: Buffer }>(CHUNK, [id, number]);
    return rows[0]?.content ?? null;
  }

  /** Ready exports of whose end nobody was told, merchants in turns. */
  untold(limit: number): Promise<ExportRow[]> {
    return this.database.query(UNTOLD, [limit]);
  }

  async told(id: string, now: Date): Promise<void> {
    await this.database.query(TOLD, [id, now]);
  }

  /**
   * Forgets exports whose time is over, at most `limit` of them, with their files.
   * @returns how many
   */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [now, limit])).length;
  }
}
