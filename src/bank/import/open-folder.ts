import { randomUUID } from 'node:crypto';
import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** Linux path of open file descriptors. */
const OPEN_FILES = '/proc/self/fd';
const NAME_MAX = 60;
/** Other programs of the group may read reasons. */
const REASON_MODE = 0o640;
/** Permissions inherited by subfolders: owner, group and setgid. */
const OWNER_AND_GROUP = 0o2770;
const WRITABLE_BY_OTHERS = 0o022;
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK']);

/**
 * An open folder, addressed by its descriptor: replacing its name with a link redirects nothing. Uses the name where
 * the system has no such paths.
 */
export class OpenFolder {
  /** Path prefix for files in the folder while it is open. */
  readonly path: string;

  private constructor(
    private readonly handle: FileHandle,
    name: string,
  ) {
    const place = path.join(OPEN_FILES, String(handle.fd));
    this.path = existsSync(place) ? place : name;
  }

  /** @throws a system error if it is not a folder */
  static async open(name: string): Promise<OpenFolder> {
    const { O_RDONLY, O_DIRECTORY } = constants;
    return new OpenFolder(await open(name, O_RDONLY | O_DIRECTORY), name);
  }

  /** Opens a subfolder; creates it with this folder's permissions, except those of others. */
  async below(name: string): Promise<OpenFolder> {
    const place = path.join(this.path, name);
    const mode = (await this.handle.stat()).mode & OWNER_AND_GROUP;
    const isNew = await mkdir(place, { mode }).then(() => true, unlessExists);
    if (!(await lstat(place)).isDirectory()) throw new Error(`${name} is no folder`);
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    const handle = await open(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    // The umask removes group permissions, but the group reads reports of its files.
    if (isNew) await handle.chmod(mode);
    return new OpenFolder(handle, place);
  }

  /** Restricts access to the owner. @throws Error if another user owns it */
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
   * Moves a file into the folder without overwriting.
   * @param name preferred name; a long one leaves no room for the name of the reason file
   * @returns the name used
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
        // Not every file system supports hard links.
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

  /** Writes the reason of a refusal beside the file: into a new file, never through a link or over an existing file. */
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

  /** Undefined if the name is taken. */
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

/** Whether a process of this user created the folder, and no other user can write to it. */
export const isOwnFolder = (found: Stats): boolean =>
  found.isDirectory() &&
  isOwnUser(found.uid) &&
  (process.geteuid === undefined || (found.mode & WRITABLE_BY_OTHERS) === 0);
