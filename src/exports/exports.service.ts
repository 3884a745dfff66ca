import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { isTimeZone } from '../common/time/time-format.js';
import { DatabaseCopy } from '../database/copy/copy.js';
import {
  type ExportOwner,
  ExportRepository,
  type ExportRow,
} from '../database/exports/export.repository.js';
import { Problem, RETRY_AFTER_SECONDS } from '../http/problems/problem.js';
import { chosenColumns } from './columns.js';
import { KEPT_MS } from './export-limits.js';
import { ordersOf, storedRequest } from './export-request.js';
import { CONTENT_TYPE, type ExportFile, type ExportOptions } from './export-stream.service.js';
import { ExportWorker } from './export-worker.js';
import type { Manifest } from './manifest.js';
import { orEnd } from './send-file.js';

/** Maximum unfinished exports of a merchant, and maximum exports per mode including finished ones. */
export const KEPT_MAX = 20;

export interface ExportRequest extends ExportOptions {
  /** Filter as in the list's URL, for the manifest. */
  readonly query: string;
  /** Id of the requesting user. */
  readonly requestedBy: string;
  /** Owner of the export; default: the merchant of the orders. */
  readonly owner?: ExportOwner;
}

/** An export on its page. */
export interface ExportView extends Pick<
  ExportRow,
  'id' | 'status' | 'rowsDone' | 'rowsTotal' | 'requestedBy' | 'createdAt' | 'query'
> {
  /** Merchant of the orders; null = all merchants. */
  readonly ordersOf: string | null;
  readonly finishedAt: Date | null;
  /** Time of its deletion. */
  readonly expiresAt: Date | null;
  /** Null until it is ready. */
  readonly manifest: Manifest | null;
}

/** Background exports, available for a week or until 20 newer ones exist. */
@Injectable()
export class ExportsService {
  constructor(
    private readonly exports: ExportRepository,
    private readonly worker: ExportWorker,
    private readonly copy: DatabaseCopy,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests an export. Deletes the oldest finished one above the limit.
   * @returns its id
   * @throws Problem `invalid_parameter`; `rate_limited` if the merchant has too many in progress
   */
  async request({ query, requestedBy, owner, ...request }: ExportRequest): Promise<string> {
    const { merchantId, mode } = owner ?? request.scope;
    if (!isTimeZone(request.timeZone)) {
      throw new Problem('invalid_parameter', { detail: 'The time zone is not an IANA name.' });
    }
    if (request.columns) chosenColumns(request.columns, request.scope.merchantId === null);
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    const stored = storedRequest(request);
    const row = { id, merchantId, mode, requestedBy, request: stored, query, createdAt };
    if (!(await this.exports.insert(row, KEPT_MAX))) throw tooMany();
    this.worker.wake();
    return id;
  }

  /** Newest first. */
  async list(owner: ExportOwner): Promise<ExportView[]> {
    return (await this.exports.list(owner, KEPT_MAX)).map(viewOf);
  }

  /** Null if the owner has no export with this id. */
  async find(owner: ExportOwner, id: string): Promise<ExportView | null> {
    const row = await this.exports.find(owner, id);
    return row && viewOf(row);
  }

  /**
   * Cancels an unfinished export; a running worker stops within seconds.
   * @returns false if there was nothing to cancel
   */
  cancel(owner: ExportOwner, id: string): Promise<boolean> {
    const now = this.clock.now();
    return this.exports.cancel(owner, id, now, new Date(now.getTime() + KEPT_MS));
  }

  /**
   * The file, or null if the owner has no finished export with this id.
   * @throws Problem `unavailable` with Retry-After when too many files are being read
   */
  async file(owner: ExportOwner, id: string): Promise<ExportFile | null> {
    const manifest = (await this.find(owner, id))?.manifest;
    if (!manifest) return null;
    const leave = this.copy.enter('stored', owner.merchantId, () => stream.destroy());
    const stream = createGunzip().once('close', leave);
    // Until something is sent, an error can still become an answer.
    const first = await orEnd(stream, this.exports.chunk(id, 0));
    // `pipeline` ties both streams together before the stream has a reader, which receives later errors.
    pipeline(Readable.from(this.chunks(id, first)), stream, () => undefined);
    return { filename: manifest.file, contentType: CONTENT_TYPE, stream };
  }

  /** One chunk in memory at a time: the next is fetched after this one was consumed. */
  private async *chunks(id: string, first: Buffer | null): AsyncGenerator<Buffer> {
    let chunk = first;
    for (let number = 1; chunk; number++) {
      yield chunk;
      chunk = await this.exports.chunk(id, number);
    }
  }
}

const tooMany = (): Problem =>
  new Problem('rate_limited', {
    detail: `At most ${KEPT_MAX} exports can wait or run; cancel one, or wait for one to end.`,
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });

function viewOf({ request, attempts: _attempts, ...row }: ExportRow): ExportView {
  return { ...row, ordersOf: ordersOf(request), manifest: row.manifest as Manifest | null };
}
