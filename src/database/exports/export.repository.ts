import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull } from 'typeorm';
import { Database } from '../database.js';
import { violatedUnique } from '../faults.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { ExportChunk } from './export-chunk.entity.js';
import { Export } from './export.entity.js';
import {
  CANCEL,
  CLAIM,
  FORGET_CHUNKS,
  FORGET_OLDEST,
  INSERT_EXPORT,
  PROGRESS,
  PURGE,
  TAKE_TURN,
  UNTOLD,
  WRITE_CHUNK,
} from './export.statements.js';

/** Owner of exports, shared by a merchant's users; null = the platform. */
export interface ExportOwner {
  readonly merchantId: string | null;
  readonly mode: Mode;
  /** Only exports requested by this user. */
  readonly requestedBy?: string;
}

export type NewExport = Pick<
  Export,
  'id' | 'merchantId' | 'mode' | 'requestedBy' | 'request' | 'query' | 'createdAt'
>;

/** An export without internal columns. */
export type ExportRow = Omit<Export, 'place' | 'leaseUntil' | 'toldAt'>;

/** A worker's claim. */
export type Held = Pick<Export, 'id' | 'attempts'>;

export interface Progress {
  readonly rowsDone: number;
  readonly rowsTotal: number | null;
  /** End of the worker's lease. */
  readonly leaseUntil: Date;
}

/** Result of an export: ready with a manifest, or failed without. */
export type Ending = Pick<Export, 'rowsDone' | 'rowsTotal' | 'manifest'> & {
  readonly finishedAt: Date;
  readonly expiresAt: Date;
};

const ownedBy = ({ merchantId, mode, requestedBy }: ExportOwner) => ({
  merchantId: merchantId ?? IsNull(),
  mode,
  ...(requestedBy === undefined ? {} : { requestedBy }),
});

/** Only the worker with the last claim, and only while the export is not cancelled. */
const heldBy = ({ id, attempts }: Held) => ({ id, attempts, status: 'running' }) as const;
const NOT_HELD = { place: null, leaseUntil: null };

/** Stores exports and their files. Worker methods do nothing once another worker has claimed the export. */
@Injectable()
export class ExportRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Export) private readonly exports: LimitedRepository<Export>,
    @InjectRepository(ExportChunk) private readonly chunks: LimitedRepository<ExportChunk>,
  ) {}

  /**
   * Adds an export and deletes the oldest ones beyond `max`.
   * @returns false when the merchant has `max` unfinished exports
   */
  insert(row: NewExport, max: number): Promise<boolean> {
    const { id, merchantId, mode, requestedBy, request, query, createdAt } = row;
    const values = [id, merchantId, mode, requestedBy, request, query, createdAt, max];
    return this.database.transaction(async (tx) => {
      await tx.query(TAKE_TURN, [merchantId]);
      const inserted: unknown[] = await tx.query(INSERT_EXPORT, values);
      if (inserted.length === 0) return false;
      await tx.query(FORGET_OLDEST, [merchantId, mode, max]);
      return true;
    });
  }

  /** Newest first. */
  list(owner: ExportOwner, limit: number): Promise<ExportRow[]> {
    return this.exports.find({ where: ownedBy(owner), order: { id: 'DESC' }, take: limit });
  }

  find(owner: ExportOwner, id: string): Promise<ExportRow | null> {
    return this.exports.findOneBy({ ...ownedBy(owner), id });
  }

  /**
   * Claims the next export until `until`.
   * @param perMerchant maximum exports running per merchant
   * @returns null when none is queued, or another worker was faster
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

  /** Deletes chunks of previous workers. */
  async forgetChunks({ id, attempts }: Held): Promise<void> {
    await this.database.query(FORGET_CHUNKS, [id, attempts]);
  }

  /** @returns false when the worker has lost its claim */
  async progress({ id, attempts }: Held, progress: Progress): Promise<boolean> {
    const { leaseUntil, rowsDone, rowsTotal } = progress;
    const values = [id, attempts, leaseUntil, rowsDone, rowsTotal];
    return (await this.database.query(PROGRESS, values)).length === 1;
  }

  /** @returns false when the worker has lost its claim; nothing is stored */
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

  /** @returns false when the worker has lost its claim */
  async finish(held: Held, ending: Ending): Promise<boolean> {
    const status = ending.manifest ? ('ready' as const) : ('failed' as const);
    const manifest = ending.manifest as object | null;
    const patch = { ...ending, manifest, status, ...NOT_HELD };
    return (await this.exports.update(heldBy(held), patch)).affected === 1;
  }

  /** Releases the export to other workers. */
  async release(held: Held): Promise<void> {
    await this.exports.update(heldBy(held), { status: 'queued', ...NOT_HELD });
  }

  /** @returns false when it does not exist or is finished */
  async cancel(owner: ExportOwner, id: string, now: Date, expiresAt: Date): Promise<boolean> {
    const values = [owner.merchantId, owner.mode, owner.requestedBy ?? null, id, now, expiresAt];
    return (await this.database.query(CANCEL, values)).length === 1;
  }

  /** A chunk of the gzip file, numbered from 0; null after the last one. */
  async chunk(id: string, number: number): Promise<Buffer | null> {
    const chunk = await this.chunks.findOneBy({ exportId: id, number });
    return chunk?.content ?? null;
  }

  /** Ready exports whose requesters were not notified yet, alternating between merchants. */
  unnotified(limit: number): Promise<ExportRow[]> {
    return this.database.query(UNTOLD, [limit]);
  }

  async notified(id: string, now: Date): Promise<void> {
    await this.exports.update({ id }, { toldAt: now });
  }

  /**
   * Deletes expired exports and their files, at most `limit`.
   * @returns the number of deleted exports
   */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [now, limit])).length;
  }
}
