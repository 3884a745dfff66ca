import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import {
  link,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  utimes,
  writeFile,
} from 'node:fs/promises';
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
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

const IN = 'in';
const DONE = 'done';
const REFUSED = 'refused';
/** A folder for each file that is being read: a name that a file is moved to is its one owner. */
const CLAIMED = '.claimed';

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
      await this.prepare(folder);
      await this.takeOver(folder);
      for (const file of await this.complete(folder)) {
        if (this.isStopped) return;
        await this.claim(folder, file);
      }
      this.isAway = false;
      this.readable.set(1);
    } catch (error) {
      if (!this.isAway) this.logger.error({ err: error }, 'the folder for bank statements is away');
      this.isAway = true;
      this.readable.set(0);
    }
  }

  private lookAgain(): void {
    this.looking = this.look().then(() => {
      if (!this.isStopped) this.timer = setTimeout(() => this.lookAgain(), LOOK_MS).unref();
    });
  }

  /** The folder itself is the operator's: it may be a disk that is not there at the moment. */
  private async prepare(folder: string): Promise<void> {
    for (const name of [IN, DONE, REFUSED, CLAIMED]) {
      await mkdir(path.join(folder, name), { mode: 0o770 }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        },
      );
      const found = await lstat(path.join(folder, name));
      if (!found.isDirectory()) throw new Error(`${name} is no folder`);
    }
  }

  /** Plain files whose size and time are those of the last look. */
  private async complete(folder: string): Promise<LaidFile[]> {
    const here = path.join(folder, IN, path.sep);
    const entries = await readdir(here, { withFileTypes: true, encoding: 'buffer' });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => laidFile(here, entry.name))
      .filter(({ name }) => !UNFINISHED.test(name))
      .slice(0, FILES_MAX);
    const now = new Map<string, string>();
    for (const { place } of files) {
      const found = await lstat(place).catch(() => undefined);
      if (found?.isFile()) now.set(idOf(place), `${found.ino} ${found.size} ${found.mtimeMs}`);
    }
    const isComplete = ({ place }: LaidFile): boolean => {
      const state = now.get(idOf(place));
      return state !== undefined && this.seen.get(idOf(place)) === state;
    };
    const complete = files.filter(isComplete);
    this.seen = now;
    return complete;
  }

  private async claim(folder: string, { place, name }: LaidFile): Promise<void> {
    const own = await this.ownFolder(folder);
    try {
      await rename(place, path.join(own, name));
    } catch {
      // Another process was faster, or it was taken away.
      await rmdir(own);
      return;
    }
    await this.read(folder, own, name);
  }

  /** Files whose reader is gone: whoever moves its folder is the next. */
  private async takeOver(folder: string): Promise<void> {
    const claimed = path.join(folder, CLAIMED);
    for (const id of await readdir(claimed)) {
      const there = path.join(claimed, id);
      const found = await lstat(there).catch(() => undefined);
      if (!found?.isDirectory() || Date.now() - found.mtimeMs < GONE_MS) continue;
      const own = path.join(claimed, randomUUID());
      const isOwn = await rename(there, own).then(
        () => true,
        () => false,
      );
      if (!isOwn) continue;
      await this.sayAlive(own);
      const [name] = await readdir(own);
      if (name === undefined) await rmdir(own);
      else await this.read(folder, own, name);
    }
  }

  private async ownFolder(folder: string): Promise<string> {
    const own = path.join(folder, CLAIMED, randomUUID());
    await mkdir(own, { mode: 0o700 });
    return own;
  }

  private async sayAlive(own: string): Promise<void> {
    const now = new Date();
    await utimes(own, now, now).catch(() => undefined);
  }

  /** What fails for another reason than the file stays, and is taken up again. */
  private async read(folder: string, own: string, name: string): Promise<void> {
    const alive = setInterval(() => void this.sayAlive(own), ALIVE_MS);
    try {
      const reason = await this.reasonAgainst(path.join(own, name), name);
      await this.put(folder, own, name, reason);
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

  private async put(folder: string, own: string, name: string, reason: string | null) {
    const to = path.join(folder, reason === null ? DONE : REFUSED);
    const put = await moved(path.join(own, name), to, name);
    if (reason !== null) await writeFile(`${put}.reason.txt`, `${reason}\n`);
    await rmdir(own);
    this.logger.log(
      { file: name, reason },
      reason === null ? 'statement is in' : 'statement refused',
    );
  }
}

/** A file in the folder. */
interface LaidFile {
  /** Its path, in the bytes that its name has: not every program writes names in UTF-8. */
  readonly place: Buffer;
  /** What it is called from now on. */
  readonly name: string;
}

function laidFile(folder: string, name: Buffer): LaidFile {
  const text = isUtf8(name) ? name.toString() : name.toString('latin1').slice(-NAME_MAX);
  return { place: Buffer.concat([Buffer.from(folder), name]), name: text };
}

const idOf = (place: Buffer): string => place.toString('latin1');

/** Never over a file that is there; a long name leaves no room for that of its reason. */
async function moved(from: string, folder: string, name: string): Promise<string> {
  const other = `${randomUUID()}-${name.slice(-NAME_MAX)}`;
  for (const to of name.length > NAME_MAX ? [other] : [name, other]) {
    const target = path.join(folder, to);
    try {
      await link(from, target);
      await rm(from);
      return target;
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // Not every file system gives a file two names.
      if (NO_LINKS.has(code)) return renamed(from, path.join(folder, other));
      if (code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${name} cannot be moved`);
}

async function renamed(from: string, to: string): Promise<string> {
  await rename(from, to);
  return to;
}
