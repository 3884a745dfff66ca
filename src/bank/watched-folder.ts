import { isUtf8 } from 'node:buffer';
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
import { StatementRefusedError } from '../bank-statements/refused.js';
import { Config } from '../config/config.js';
import { BankImportService } from './import.service.js';
import { isOwnFolder, OpenFolder } from './open-folder.js';
import { BankProfiles } from './profiles.js';

/** A file that has not changed from one look to the next is complete. */
const LOOK_MS = 10_000;
/** Whoever reads a file says so as often. */
const ALIVE_MS = 10_000;
/** What nobody has said anything about for so long was left by a process that is gone. */
const GONE_MS = 60_000;
/** Files of one look. */
const FILES_MAX = 1_000;
/** Names of files that somebody still writes. */
const UNFINISHED = /^\.|\.(?:part|tmp|filepart|crdownload)$/i;

const NAME_MAX = 60;

const IN = 'in';
const DONE = 'done';
const REFUSED = 'refused';
/** A folder for each file that is being read: a name that a file is moved to is its one owner. */
const CLAIMED = '.claimed';

/** What is below the watched folder. */
interface Folders {
  readonly in: OpenFolder;
  readonly done: OpenFolder;
  readonly refused: OpenFolder;
  readonly claimed: OpenFolder;
}

/** Brings in what others lay into a folder; any number of processes watch it, and each file is read by one of them. */
@Injectable()
export class WatchedFolder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly readable = new Gauge({
    name: 'statement_folder_readable',
    help: 'Whether the folder for bank statements can be read (1) or not (0); nothing without one.',
    registers: [],
  });
  private readonly logger = new Logger('statement-folder');
  private seen = new Map<string, string>();
  /** Folders of others in `.claimed`, each of which is reported once. */
  private readonly foreign = new Set<string>();
  private isAway = false;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly config: Config,
    private readonly imports: BankImportService,
    private readonly profiles: BankProfiles,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.statementFolder && this.config.jobs !== 'off') this.lookAgain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Brings in what has not changed since the last look. Nothing that it finds ends the process. */
  async look(): Promise<void> {
    const folder = this.config.statementFolder?.path;
    if (folder === undefined) return;
    try {
      await withFolders(folder, (folders) => this.lookInto(folders));
      this.isAway = false;
      this.readable.set(1);
    } catch (error) {
      if (!this.isAway) this.logger.error({ err: error }, 'the folder for bank statements is away');
      this.isAway = true;
      this.readable.set(0);
    }
  }

  private async lookInto(folders: Folders): Promise<void> {
    await this.takeOver(folders);
    for (const file of await this.complete(folders.in.path)) {
      if (this.isStopped) return;
      await this.claim(folders, file);
    }
  }

  private lookAgain(): void {
    this.looking = this.look().then(() => {
      if (!this.isStopped) this.timer = setTimeout(() => this.lookAgain(), LOOK_MS).unref();
    });
  }

  /** Plain files whose size and time are those of the last look. */
  private async complete(folder: string): Promise<LaidFile[]> {
    const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
    const files = entries
      .filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name.toString('latin1')))
      .map((entry) => laidFile(folder, entry.name))
      .slice(0, FILES_MAX);
    const now = new Map<string, string>();
    for (const { place, id } of files) {
      const found = await lstat(place).catch(() => undefined);
      if (found?.isFile()) now.set(id, `${found.ino} ${found.size} ${found.mtimeMs}`);
    }
    const complete = files.filter(({ id }) => now.has(id) && this.seen.get(id) === now.get(id));
    this.seen = now;
    return complete;
  }

  private async claim(folders: Folders, { place, name }: LaidFile): Promise<void> {
    const own = path.join(folders.claimed.path, randomUUID());
    await mkdir(own, { mode: 0o700 });
    try {
      await rename(place, path.join(own, name));
    } catch {
      // Another process was faster, or it was taken away.
      await rmdir(own);
      return;
    }
    await this.read(folders, own, name);
  }

  /** Files whose reader is gone: whoever moves its folder is the next. */
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
      await this.sayAlive(own);
      const [name] = await readdir(own);
      if (name === undefined) await rmdir(own);
      else await this.read(folders, own, name);
    }
  }

  /** What anybody else has put there is not read, and its operator has to hear of it: it may be a statement. */
  private isOurs(id: string, found: Stats): boolean {
    if (isOwnFolder(found)) return true;
    if (!this.foreign.has(id))
      this.logger.error(
        { folder: id, uid: found.uid },
        `what others put into ${CLAIMED} is not read`,
      );
    this.foreign.add(id);
    return false;
  }

  private async sayAlive(own: string): Promise<void> {
    const now = new Date();
    await utimes(own, now, now).catch(() => undefined);
  }

  /** What fails for another reason than the file stays, and is taken up again. */
  private async read(folders: Folders, own: string, name: string): Promise<void> {
    const alive = setInterval(() => void this.sayAlive(own), ALIVE_MS);
    try {
      const reason = await this.reasonAgainst(path.join(own, name), name);
      await this.put(folders, own, name, reason);
    } catch (error) {
      this.logger.error({ err: error, file: name }, 'bank statement not brought in');
    } finally {
      clearInterval(alive);
    }
  }

  /** @returns why it is refused; null when it is in */
  private async reasonAgainst(file: string, name: string): Promise<string | null> {
    // What was a plain file in `in` may be a link by now.
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
    this.logger.log(
      { file: name, reason },
      reason === null ? 'statement is in' : 'statement refused',
    );
  }
}

/** The folder itself is the operator's: it may be a disk that is not there at the moment. */
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

/** A file in the folder. */
interface LaidFile {
  /** Its path, in the bytes that its name has: not every program writes names in UTF-8. */
  readonly place: Buffer;
  /** Those bytes of its name, one by one. */
  readonly id: string;
  /** What it is called from now on. */
  readonly name: string;
}

function laidFile(folder: string, name: Buffer): LaidFile {
  const id = name.toString('latin1');
  const text = isUtf8(name) ? name.toString() : id.slice(-NAME_MAX);
  return { place: Buffer.concat([Buffer.from(`${folder}${path.sep}`), name]), id, name: text };
}
