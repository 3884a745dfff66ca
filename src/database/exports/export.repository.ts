import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull } from 'typeorm';
import { Database } from '../database.js';
import { violatedUnique } from '../faults.js';
import type { GatedRepository } from '../gated-repository.js';
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

const ownedBy = ({ merchantId, mode, requestedBy }: ExportOwner) => ({
  merchantId: merchantId ?? IsNull(),
  mode,
  ...(requestedBy === undefined ? {} : { requestedBy }),
});

/** Only whoever took it last, and only while nobody has cancelled it. */
const heldBy = ({ id, attempts }: Held) => ({ id, attempts, status: 'running' }) as const;
const NOT_HELD = { place: null, leaseUntil: null };

/** Exports and their files. Methods for workers do nothing once the export is somebody else's. */
@Injectable()
export class ExportRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Export) private readonly exports: GatedRepository<Export>,
    @InjectRepository(ExportChunk) private readonly chunks: GatedRepository<ExportChunk>,
  ) {}

  /**
   * Makes room for it: of the owner's exports at most `max` stand.
   * @returns false when the owner's merchant has `max` that are not finished
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

  /** The newest first. */
  list(owner: ExportOwner, limit: number): Promise<ExportRow[]> {
    return this.exports.find({ where: ownedBy(owner), order: { id: 'DESC' }, take: limit });
  }

  find(owner: ExportOwner, id: string): Promise<ExportRow | null> {
    return this.exports.findOneBy({ ...ownedBy(owner), id });
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
  async finish(held: Held, ending: Ending): Promise<boolean> {
    const status = ending.manifest ? ('ready' as const) : ('failed' as const);
    const manifest = ending.manifest as object | null;
    const patch = { ...ending, manifest, status, ...NOT_HELD };
    return (await this.exports.update(heldBy(held), patch)).affected === 1;
  }

  /** Gives the export back, for another worker. */
  async release(held: Held): Promise<void> {
    await this.exports.update(heldBy(held), { status: 'queued', ...NOT_HELD });
  }

  /** @returns false when there is none that could be cancelled */
  async cancel(owner: ExportOwner, id: string, now: Date, expiresAt: Date): Promise<boolean> {
    const values = [owner.merchantId, owner.mode, owner.requestedBy ?? null, id, now, expiresAt];
    return (await this.database.query(CANCEL, values)).length === 1;
  }

  /** A piece of a gzip file, from 0 on; null behind the last one. */
  async chunk(id: string, number: number): Promise<Buffer | null> {
    const chunk = await this.chunks.findOneBy({ exportId: id, number });
    return chunk?.content ?? null;
  }

  /** Ready exports of whose end nobody was told, merchants in turns. */
  unnotified(limit: number): Promise<ExportRow[]> {
    return this.database.query(UNTOLD, [limit]);
  }

  async notified(id: string, now: Date): Promise<void> {
    await this.exports.update({ id }, { toldAt: now });
  }

  /**
   * Forgets exports whose time is over, at most `limit` of them, with their files.
   * @returns how many
   */
  async purge(now: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [now, limit])).length;
  }
}
