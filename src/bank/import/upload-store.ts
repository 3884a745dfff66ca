import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LIMITS } from '../../bank-statements/limits.js';
import { Clock } from '../../common/time/clock.js';
import { uuidOf, uuidv7 } from '../../common/ids.js';
import { FolderNotPrivateError, privateFolder } from '../../common/private-folder.js';
import { LEFT_MAX, releaseSpareMemory } from '../../common/spare-memory.js';
import { Config } from '../../config/config.js';
import type { DatabaseLocation } from '../../config/database-location.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import type { FilePreview } from './file-preview.js';
import type { ImportResult } from './import.service.js';
import { clearTemporaryFolder, openTemporaryFolder, temporaryFolder } from './temporary-folder.js';

/** Milliseconds that an upload is kept. */
const KEPT_MS = 60 * 60_000;
/** Maximum uploads per user and in total. */
const OWN_MAX = 5;
const ALL_MAX = 20;

/** An uploaded file that is not imported yet. */
export interface Upload {
  readonly id: string;
  /** Id of the user. */
  readonly owner: string;
  readonly mode: Mode;
  readonly name: string;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Name of the CSV profile, and the account if the profile has none. */
  readonly profile: string | null;
  readonly account: string | null;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Null if the file was refused. */
  readonly preview: FilePreview | null;
  readonly refused: string | null;
  readonly result: ImportResult | null;
  /** Whether the last import failed; it may have stored a part. */
  readonly hasFailed?: boolean;
}

export type NewUpload = Pick<Upload, 'owner' | 'mode' | 'name' | 'profile' | 'account'>;

/** Explains why a file cannot be stored. */
export class UploadRefusedError extends Error {}

const tooManyAtOnce = () =>
  new UploadRefusedError(`More than ${OWN_MAX} files were uploaded at once.`);

/** Folder name per database, the same in all of its processes. Contains no password. */
function nameOf(database: DatabaseLocation): string {
  if (database.kind === 'memory') return randomUUID();
  if (database.kind === 'folder') return digest(database.path);
  const { host, pathname, searchParams } = new URL(database.url);
  return digest(`${searchParams.get('host') ?? host}${pathname}`);
}

const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Stores files between upload and import, for an hour, in a private folder of the host that all processes of a database
 * share.
 */
@Injectable()
export class UploadStore implements OnApplicationShutdown {
  private readonly folder: string;
  /** The last reservation: one at a time. */
  private reserved: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.folder = path.join(temporaryFolder(), `uploads-${nameOf(config.database)}`);
  }

  /** Deletes the uploads if the database is temporary, too. */
  async onApplicationShutdown(): Promise<void> {
    if (this.config.database.kind === 'memory')
      await rm(this.folder, { recursive: true, force: true });
  }

  /**
   * Streams the bytes to disk.
   * @throws UploadRefusedError
   */
  async keep(upload: NewUpload, bytes: AsyncIterable<Buffer>): Promise<Upload> {
    const place = await this.reserve(upload);
    const { id } = place;
    try {
      const written = await this.write(this.pathOf(id), bytes);
      if (!(await this.read(id))) throw tooManyAtOnce();
      return { ...place, ...written };
    } catch (error) {
      await this.discard(id);
      throw error;
    }
  }

  /** Metadata of an upload that has yet to be read. It counts at once, so that uploads at the same time are limited. */
  private reserve(upload: NewUpload): Promise<Upload> {
    const now = this.clock.now();
    const reserved = this.reserved.then(async () => {
      await this.makeRoom(upload.owner);
      const rest = { size: 0, sha256: '', preview: null, refused: null, result: null };
      const place = { ...upload, ...rest, id: uuidv7(now.getTime()), createdAt: now.toISOString() };
      await this.note(place);
      return place;
    });
    this.reserved = reserved.catch(() => undefined);
    return reserved;
  }

  /** Path of its bytes. */
  pathOf(id: string): string {
    return path.join(this.folder, `${id}.file`);
  }

  /** Updates the stored metadata. */
  async note(upload: Upload): Promise<void> {
    const next = path.join(this.folder, `${upload.id}.next`);
    await writeFile(next, JSON.stringify(upload), { mode: 0o600 });
    await rename(next, this.factsOf(upload.id));
  }

  /**
   * Null if the upload belongs to another user or mode, is on another host, or has expired.
   * @throws UploadRefusedError
   */
  async find(owner: string, mode: Mode, id: string): Promise<Upload | null> {
    await this.openFolder();
    const upload = await this.read(id);
    const isOurs = upload?.owner === owner && upload.mode === mode && !this.isOver(upload);
    return isOurs ? upload : null;
  }

  async discard(id: string): Promise<void> {
    await Promise.all([
      rm(this.pathOf(id), { force: true }),
      rm(this.factsOf(id), { force: true }),
    ]);
  }

  private factsOf(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }

  private isOver({ createdAt }: Upload): boolean {
    return Date.parse(createdAt) + KEPT_MS < this.clock.now().getTime();
  }

  private async read(id: string): Promise<Upload | null> {
    const text = await readFile(this.factsOf(id), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as Upload);
  }

  /**
   * The name is predictable: another user may have created the folder, whose content is then not trusted.
   * @throws UploadRefusedError
   */
  private async openFolder(): Promise<string> {
    try {
      const parent = await openTemporaryFolder();
      await privateFolder(this.folder, { refuseWritable: true });
      return parent;
    } catch (error) {
      if (!(error instanceof FolderNotPrivateError)) throw error;
      throw new UploadRefusedError(`No file can be kept. ${error.message}`, { cause: error });
    }
  }

  /** Deletes expired uploads, and the user's oldest ones above the limit. */
  private async makeRoom(owner: string): Promise<void> {
    const parent = await this.openFolder();
    // Touch the folder: it is cleared after a day without use.
    const now = new Date();
    await utimes(this.folder, now, now);
    await clearTemporaryFolder(parent);
    const names = await readdir(this.folder);
    const ids = new Set(names.flatMap((name) => uuidOf(name.replace(/\.\w+$/, '')) ?? []));
    const kept: Upload[] = [];
    for (const id of [...ids].toSorted()) {
      const upload = await this.read(id);
      if (upload && !this.isOver(upload)) kept.push(upload);
      else if (upload || this.isStale(id)) await this.discard(id);
    }
    const own = kept.filter((upload) => upload.owner === owner);
    for (const { id } of own.slice(0, Math.max(0, own.length - OWN_MAX + 1)))
      await this.discard(id);
    if (kept.length - own.length >= ALL_MAX)
      throw new UploadRefusedError('Too many files wait already. Try again in an hour.');
  }

  /** Bytes without metadata; the id contains the time of the upload. */
  private isStale(id: string): boolean {
    const began = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    return began + KEPT_MS < this.clock.now().getTime();
  }

  private async write(
    to: string,
    bytes: AsyncIterable<Buffer>,
  ): Promise<Pick<Upload, 'size' | 'sha256'>> {
    const hash = createHash('sha256');
    let size = 0;
    const file = await open(to, 'wx', 0o600);
    try {
      for await (const part of bytes) {
        size += part.length;
        if (size > LIMITS.fileBytes) {
          throw new UploadRefusedError(`The file is larger than ${LIMITS.fileBytes / 1e6} MB.`);
        }
        // Deleted by a newer upload: what is written from here on would take space that no limit counts.
        if ((await file.stat()).nlink === 0) throw tooManyAtOnce();
        hash.update(part);
        await file.write(part);
      }
    } finally {
      await file.close();
    }
    if (size === 0) throw new UploadRefusedError('The file is empty.');
    if (size > LEFT_MAX) releaseSpareMemory();
    return { size, sha256: hash.digest('hex') };
  }
}
