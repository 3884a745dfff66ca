import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rmdir, utimes } from 'node:fs/promises';
import path from 'node:path';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Gauge } from 'prom-client';
import { StatementRefusedError } from '../../bank-statements/refused.js';
import { Config } from '../../config/config.js';
import { BankImportService } from './import.service.js';
import { incomingFiles, NAMES_MAX, type WatchedFile } from './incoming-files.js';
import { isOwnFolder, OpenFolder } from './open-folder.js';
import { BankProfiles } from './profiles.js';

/** A file that is unchanged since the last poll counts as complete. */
const POLL_MS = 10_000;
/** Heartbeat interval of the reader of a file. */
const ALIVE_MS = 10_000;
/** Without a heartbeat for this long, the reader counts as gone. */
const GONE_MS = 60_000;

const IN = 'in';
const DONE = 'done';
const REFUSED = 'refused';
/** Folder per file that is being read. Moving a file into one claims it. */
const CLAIMED = '.claimed';

/** Subfolders of the watched folder. */
interface Folders {
  readonly in: OpenFolder;
  readonly done: OpenFolder;
  readonly refused: OpenFolder;
  readonly claimed: OpenFolder;
}

/** Imports files from a watched folder. Any number of processes can watch it; each file is read by one. */
@Injectable()
export class WatchedFolder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly readable = new Gauge({
    name: 'payment_orders_statement_folder_readable',
    help: 'Whether the folder for bank statements can be read (1) or not (0); nothing without one.',
    registers: [],
  });
  private readonly logger = new Logger('statement-folder');
  private seen = new Map<string, string>();
  /** Folders of other users in `.claimed`, each reported once. */
  private readonly foreign = new Set<string>();
  private isAway = false;
  private isCrowded = false;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly config: Config,
    private readonly imports: BankImportService,
    private readonly profiles: BankProfiles,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.statementFolder && this.config.role !== 'api') this.lookAgain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Imports files that are unchanged since the last poll. Never throws. */
  async look(): Promise<void> {
    const folder = this.config.statementFolder?.path;
    if (folder === undefined) return;
    try {
      await withFolders(folder, (folders) => this.lookInto(folders));
      this.isAway = false;
      this.readable.set(1);
    } catch (error) {
      if (!this.isAway)
        this.logger.error(
          { event: 'bank.folder.unavailable', err: error },
          'the folder for bank statements is not available',
        );
      this.isAway = true;
      this.readable.set(0);
    }
  }

  private async lookInto(folders: Folders): Promise<void> {
    for (const file of await this.complete(folders.in.path)) {
      if (this.isStopped) return;
      await this.claim(folders, file);
    }
    // A file that cannot be imported delays no others: new files come first, then one stuck file.
    if (!this.isStopped) await this.takeOver(folders);
  }

  private lookAgain(): void {
    this.looking = this.look().then(() => {
      if (!this.isStopped) this.timer = setTimeout(() => this.lookAgain(), POLL_MS).unref();
    });
  }

  /** Regular files whose size and time are unchanged since the last poll. */
  private async complete(folder: string): Promise<WatchedFile[]> {
    const { files, isCrowded } = await incomingFiles(folder);
    if (isCrowded && !this.isCrowded)
      this.logger.warn(
        { event: 'bank.folder.crowded', max: NAMES_MAX },
        `more than ${NAMES_MAX} files in the folder for bank statements: some wait until others are gone`,
      );
    this.isCrowded = isCrowded;
    const now = new Map<string, string>();
    for (const { place, id } of files) {
      const found = await lstat(place).catch(() => undefined);
      if (found?.isFile()) now.set(id, versionOf(found));
    }
    const complete = files.filter(({ id }) => now.has(id) && this.seen.get(id) === now.get(id));
    this.seen = now;
    return complete;
  }

  /** Its turn may come minutes after the poll, so a file that has changed since waits for the next. */
  private async claim(folders: Folders, { place, id, name }: WatchedFile): Promise<void> {
    const version = this.seen.get(id)!;
    if ((await versionAt(place)) !== version) return;
    const own = path.join(folders.claimed.path, randomUUID());
    await mkdir(own, { mode: 0o700 });
    try {
      await rename(place, path.join(own, name));
    } catch {
      // Another process claimed the file, or it was removed.
      await rmdir(own);
      return;
    }
    await this.read(folders, own, name, version);
  }

  /** Takes over files whose reader is gone: moving the folder claims it. */
  private async takeOver(folders: Folders): Promise<void> {
    const claimed = folders.claimed.path;
    for (const id of await readdir(claimed)) {
      const there = path.join(claimed, id);
      const found = await lstat(there).catch(() => undefined);
      if (!found || !this.isOurs(id, found) || Date.now() - found.mtimeMs < GONE_MS) continue;
      const own = path.join(claimed, randomUUID());
      const isOwn = await rename(there, own).then(
        () => true,
        () => false,
      );
      if (!isOwn) continue;
      await this.heartbeat(own);
      const [name] = await readdir(own);
      if (name === undefined) await rmdir(own);
      else return this.readAgain(folders, own, name);
    }
  }

  /** Folders of other users are not read, and are logged: they may contain a statement. */
  private isOurs(id: string, found: Stats): boolean {
    if (isOwnFolder(found)) return true;
    if (!this.foreign.has(id))
      this.logger.error(
        { event: 'bank.folder.foreign_entry', folder: id, uid: found.uid },
        `a folder of another user in ${CLAIMED} is not read`,
      );
    this.foreign.add(id);
    return false;
  }

  private async heartbeat(own: string): Promise<void> {
    const now = new Date();
    await utimes(own, now, now).catch(() => undefined);
  }

  private async readAgain(folders: Folders, own: string, name: string): Promise<void> {
    const found = await lstat(path.join(own, name));
    const age = Date.now() - found.mtimeMs;
    const isGrowing = found.isFile() && age >= 0 && age < POLL_MS;
    if (!isGrowing) await this.read(folders, own, name, versionOf(found));
  }

  /** After an error outside the file, the file stays and is retried. So does one that has changed meanwhile. */
  private async read(folders: Folders, own: string, name: string, version: string): Promise<void> {
    const alive = setInterval(() => void this.heartbeat(own), ALIVE_MS);
    try {
      const reason = await this.reasonAgainst(path.join(own, name), name);
      if ((await versionAt(path.join(own, name))) === version)
        await this.put(folders, own, name, reason);
      else
        this.logger.warn(
          { event: 'bank.statement.changed', file: name },
          'bank statement changed while it was read, and is read again',
        );
    } catch (error) {
      this.logger.error(
        { event: 'bank.statement.failed', err: error, file: name },
        'bank statement could not be imported and is retried',
      );
    } finally {
      clearInterval(alive);
    }
  }

  /** @returns reason of the refusal; null if the file was imported */
  private async reasonAgainst(file: string, name: string): Promise<string | null> {
    // A regular file in `in` may have been replaced by a link.
    if (!(await lstat(file)).isFile()) return 'It is not a file.';
    const { mode, profile: named } = this.config.statementFolder!;
    try {
      const profile = named === undefined ? undefined : await this.profiles.find(named);
      const options = { mode, name, source: 'folder', profile } as const;
      const { result, reason } = await this.imports.import({ path: file }, options);
      return result === 'refused' ? (reason ?? '') : null;
    } catch (error) {
      if (error instanceof StatementRefusedError) return error.message;
      throw error;
    }
  }

  private async put(folders: Folders, own: string, name: string, reason: string | null) {
    const to = reason === null ? folders.done : folders.refused;
    const put = await to.moveIn(path.join(own, name), name);
    if (reason !== null) await to.writeReason(put, reason);
    await rmdir(own);
    if (reason === null)
      this.logger.log({ event: 'bank.statement.imported', file: name }, 'bank statement imported');
    else
      this.logger.log(
        { event: 'bank.statement.refused', file: name, reason },
        'bank statement refused',
      );
  }
}

/** The operator owns the folder: it may be on a disk that is not mounted. */
async function withFolders(folder: string, work: (folders: Folders) => Promise<void>) {
  const open = [await OpenFolder.open(folder)];
  const below = async (name: string): Promise<OpenFolder> => {
    const found = await open[0]!.below(name);
    open.push(found);
    return found;
  };
  try {
    const folders = {
      in: await below(IN),
      done: await below(DONE),
      refused: await below(REFUSED),
      claimed: await below(CLAIMED),
    };
    await folders.claimed.makePrivate();
    await work(folders);
  } finally {
    await Promise.all(open.map((each) => each.close()));
  }
}

/** Changes with the file's content. */
const versionOf = ({ ino, size, mtimeMs }: Stats): string => `${ino} ${size} ${mtimeMs}`;

const versionAt = (file: string | Buffer): Promise<string | undefined> =>
  lstat(file).then(versionOf, () => undefined);
