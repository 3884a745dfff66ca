import { randomUUID } from 'node:crypto';
import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Where Linux leads from the number of an open folder to the folder. */
const OPEN_FILES = '/proc/self/fd';
const NAME_MAX = 60;
/** What other programs of the group may do with a reason: read it. */
const REASON_MODE = 0o640;
/** Permissions of a folder that those in it have: all of its owner and its group, and that files get its group. */
const OWNER_AND_GROUP = 0o2770;
const WRITABLE_BY_OTHERS = 0o022;
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/**
 * A folder that stays the same one, although others may write beside it: whoever puts a link in the place of its name
 * leads nobody elsewhere. Where the system has no such paths, the name is used.
 */
export class OpenFolder {
  /** In it, paths of files can begin with this while it is open. */
  readonly path: string;

  private constructor(
    private readonly handle: FileHandle,
    name: string,
  ) {
    const place = path.join(OPEN_FILES, String(handle.fd));
    this.path = existsSync(place) ? place : name;
  }

  /** @throws an error of the system where it is no folder */
  static async open(name: string): Promise<OpenFolder> {
    const { O_RDONLY, O_DIRECTORY } = constants;
    return new OpenFolder(await open(name, O_RDONLY | O_DIRECTORY), name);
  }

  /** One in it, which is made where there is none, and has the permissions of this one without those of everybody. */
  async below(name: string): Promise<OpenFolder> {
    const place = path.join(this.path, name);
    const mode = (await this.handle.stat()).mode & OWNER_AND_GROUP;
    const isNew = await mkdir(place, { mode }).then(() => true, unlessExists);
    if (!(await lstat(place)).isDirectory()) throw new Error(`${name} is no folder`);
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    const handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    // The process’s umask keeps the group out, which reads what comes of its files.
    if (isNew) await handle.chmod(mode);
    return new OpenFolder(handle, place);
  }

  /** Lets nobody else in. @throws Error where it is another user's */
  async makePrivate(): Promise<void> {
    const { uid } = await this.handle.stat();
    if (!isOwnUser(uid))
      throw new Error(`${this.path} belongs to another user of this host (uid ${uid})`);
    await this.handle.chmod(0o700);
  }

  close(): Promise<void> {
    return this.handle.close();
  }

  /**
   * Moves a file into it, never over a file that is there.
   * @param name that it should have; a long one leaves no room for that of its reason
   * @returns the name that it got
   */
  async moveIn(from: string, name: string): Promise<string> {
    const other = `${randomUUID()}-${name.slice(-NAME_MAX)}`;
    for (const to of name.length > NAME_MAX ? [other] : [name, other]) {
      try {
        await link(from, path.join(this.path, to));
        await rm(from);
        return to;
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // Not every file system gives a file two names.
        if (NO_LINKS.has(code)) return this.renameIn(from, other);
        if (code !== 'EEXIST') throw error;
      }
    }
    throw new Error(`${name} cannot be moved`);
  }

  private async renameIn(from: string, to: string): Promise<string> {
    await rename(from, path.join(this.path, to));
    return to;
  }

  /** Writes beside a file why it is refused: into a new file, never through a link or over what a bank has sent. */
  async writeReason(name: string, reason: string): Promise<void> {
    const names = [`${name}.reason.txt`, `${name}.${randomUUID()}.reason.txt`];
    for (const each of names) {
      const file = await this.create(each);
      if (!file) continue;
      try {
        await file.writeFile(`${reason}\n`);
        await file.chmod(REASON_MODE);
      } finally {
        await file.close();
      }
      return;
    }
    throw new Error(`the reason for ${name} cannot be written`);
  }

  /** Undefined where the name is taken, by whatever. */
  private async create(name: string): Promise<FileHandle | undefined> {
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    try {
      return await open(path.join(this.path, name), flags, REASON_MODE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    }
  }
}

function unlessExists(error: NodeJS.ErrnoException): false {
  if (error.code !== 'EEXIST') throw error;
  return false;
}

const isOwnUser = (uid: number): boolean => (process.geteuid?.() ?? uid) === uid;

/** Whether a folder was made by a process of this user, and nobody else may have put anything into it. */
export const isOwnFolder = (found: Stats): boolean =>
  found.isDirectory() &&
  isOwnUser(found.uid) &&
  (process.geteuid === undefined || (found.mode & WRITABLE_BY_OTHERS) === 0);
