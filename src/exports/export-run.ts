import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Clock } from '../common/time/clock.js';
import type {
  ExportRepository,
  ExportRow,
  Progress,
} from '../database/exports/export.repository.js';
import { requestIn } from './export-request.js';
import { type ExportRows, type ExportStreamService, firstLine } from './export-stream.service.js';
import { fileName } from './file-name.js';
import { type Manifest, Totals } from './manifest.js';
import { RowEnds } from './row-ends.js';

/** Milliseconds without a heartbeat after which another worker takes an export over. */
export const EXPORT_LEASE_MS = 60_000;
/** Milliseconds between heartbeats, which report progress and detect cancellation. */
const HEARTBEAT_MS = 1_000;
/** Bytes of a chunk of the gzip file. */
const CHUNK_BYTES = 512 * 1_024;
/** Twice as fast as the default, and hardly larger. */
const GZIP_LEVEL = 4;

/** Cancelled, or taken over by another worker: nothing more may be written. */
export class ExportLostError extends Error {}

/** Hashes and counts the bytes that pass through. */
class Digest extends Transform {
  bytes = 0;
  private readonly hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  sha256(): string {
    return this.hash.digest('hex');
  }
}

/** One attempt to write an export, from its first byte. */
export class ExportRun {
  isStopped = false;
  private readonly controller = new AbortController();
  private readonly totals = new Totals();
  private rowEnds: RowEnds | undefined;
  private rowsTotal: number | null = null;

  constructor(
    private readonly row: ExportRow,
    private readonly exports: ExportRepository,
    private readonly streams: ExportStreamService,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the file.
   * @throws ExportLostError if the export no longer belongs to this worker
   */
  async write(): Promise<Manifest> {
    const heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
    try {
      await this.exports.forgetChunks(this.row);
      return await this.writeFile();
    } catch (error) {
      throw this.controller.signal.aborted ? this.controller.signal.reason : error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Aborts at once; does not count as a failure of the export. */
  stop(): void {
    this.isStopped = true;
    this.controller.abort(new Error('the process stops'));
  }

  get rows(): number {
    return this.rowEnds?.rows ?? 0;
  }

  private async writeFile(): Promise<Manifest> {
    const request = requestIn(this.row.request);
    const { signal } = this.controller;
    const session = await this.streams.open(request, { lane: 'export', signal });
    const cutOff = this.clock.now();
    this.rowsTotal = await session.count(request).catch((error: unknown) => {
      session.close();
      throw error;
    });
    const options = { rowsMax: null, onTotals: this.totals.add };
    const file = await this.streams.rows(session, request, options);
    const digest = await this.pour(file);
    return this.manifestOf(file, cutOff, digest);
  }

  private async pour(file: ExportRows): Promise<Digest> {
    const { signal } = this.controller;
    const rowEnds = new RowEnds(file.style.lineEnd);
    this.rowEnds = rowEnds;
    rowEnds.push(firstLine(file));
    const digest = new Digest();
    const gzip = createGzip({ level: GZIP_LEVEL });
    await pipeline(file.rows, rowEnds, digest, gzip, (bytes) => this.keep(bytes), { signal });
    return digest;
  }

  private async keep(zipped: AsyncIterable<Buffer>): Promise<void> {
    let number = 0;
    let parts: Buffer[] = [];
    let length = 0;
    for await (const part of zipped) {
      parts.push(part);
      length += part.length;
      if (length < CHUNK_BYTES) continue;
      await this.writeChunk(number++, Buffer.concat(parts));
      parts = [];
      length = 0;
    }
    if (length > 0) await this.writeChunk(number, Buffer.concat(parts));
  }

  private async writeChunk(number: number, content: Buffer): Promise<void> {
    const isHeld = await this.exports.writeChunk(this.row, this.progress(), number, content);
    if (!isHeld) throw new ExportLostError();
  }

  /** A short database outage is tolerated, since the lease is longer. */
  private async beat(): Promise<void> {
    const isHeld = await this.exports.progress(this.row, this.progress()).catch(() => true);
    if (!isHeld) this.controller.abort(new ExportLostError());
  }

  private progress(): Progress {
    return {
      rowsDone: this.rows,
      rowsTotal: this.rowsTotal,
      leaseUntil: new Date(this.clock.now().getTime() + EXPORT_LEASE_MS),
    };
  }

  private manifestOf(file: ExportRows, cutOff: Date, digest: Digest): Manifest {
    const { merchantId, mode, query, requestedBy, createdAt } = this.row;
    const { scope, filter, timeZone, preset, locale } = requestIn(this.row.request);
    return {
      file: fileName(scope, filter, timeZone, cutOff),
      merchantId,
      mode,
      filter: query,
      cutOff: cutOff.toISOString(),
      timeZone,
      preset,
      locale,
      payerMasked: file.style.maskPayer,
      columns: file.headers,
      rows: this.rows,
      totals: this.totals.list(),
      bytes: digest.bytes,
      sha256: digest.sha256(),
      requestedBy,
      requestedAt: createdAt.toISOString(),
      madeAt: this.clock.now().toISOString(),
    };
  }
}
