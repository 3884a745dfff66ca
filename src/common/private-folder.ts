import { constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';

/** Permissions of a folder that only its owner can list, enter and change. */
const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** Umask: no permissions for others on new files and folders. */
const UMASK = 0o077;
const ROOT = 0;
const NOT_ALLOWED: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** A folder that another user of this host owns or can change. */
export class FolderNotPrivateError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FolderNotPrivateError';
  }
}

/** First statement of each program: makes new files private unless a mode is set explicitly. */
export function writePrivateFiles(): void {
  process.umask(UMASK);
}

export interface PrivateFolderOptions {
  /** Allows a link that belongs to this user or root. */
  readonly followLinks?: boolean;
  /** Rejects the folder, instead of making it private, if others could have written to it. */
  readonly refuseWritable?: boolean;
}

/** Undefined on systems without users, such as Windows: everything counts as private there. */
const ownUser = (): number | undefined => process.geteuid?.();

/**
 * Creates the folder, or restricts an existing one to its owner: its files are then private, whatever their own modes
 * are.
 * @returns whether others could enter it before
 * @throws FolderNotPrivateError if another user owns it
 */
export async function privateFolder(
  folder: string,
  { followLinks = false, refuseWritable = false }: PrivateFolderOptions = {},
): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY }).catch((error: NodeJS.ErrnoException) =>
    unlessExists(folder, error),
  );
  const user = ownUser();
  if (user === undefined) return false;
  await refuseLink(folder, followLinks);
  const handle = await openFolder(folder, followLinks);
  try {
    const { uid, mode } = await handle.stat();
    if (uid !== user) refuseOwner(folder, uid);
    if (refuseWritable && (mode & WRITABLE_BY_OTHERS) !== 0)
      throw new FolderNotPrivateError(
        `Other users of this host may write in ${folder}: remove it, and it is made anew.`,
      );
    return (mode & OTHERS) !== 0 && (await tighten(handle, folder));
  } finally {
    await handle.close();
  }
}

/** If another file type has the name, opening it fails with a message. */
function unlessExists(folder: string, error: NodeJS.ErrnoException): void {
  const { code = '' } = error;
  if (code === 'EEXIST') return;
  if (!NOT_ALLOWED.has(code)) throw error;
  throw new FolderNotPrivateError(
    `${folder} cannot be made, because the user of this program may not write there (${code}).`,
    { cause: error },
  );
}

/** The owner of a link can redirect it at any time. */
async function refuseLink(folder: string, followLinks: boolean): Promise<void> {
  const found = await lstat(folder);
  if (!found.isSymbolicLink()) return refuseOwner(folder, found.uid);
  if (!followLinks)
    throw new FolderNotPrivateError(`${folder} is a link, and no folder: remove it.`);
  if (found.uid !== ROOT) refuseOwner(folder, found.uid);
}

function refuseOwner(folder: string, uid: number): void {
  if (uid === ownUser()) return;
  throw new FolderNotPrivateError(
    `${folder} belongs to another user of this host (uid ${uid}), who could read and change what is in it: ` +
      'name a folder of your own, such as a new one inside, or run this program as that user.',
  );
}

async function openFolder(folder: string, followLinks: boolean): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  try {
    return await open(folder, followLinks ? flags : flags | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR' || code === 'ELOOP')
      throw new FolderNotPrivateError(`${folder} is no folder.`, { cause: error });
    // The target of a link may be another user's folder.
    if (code === 'EACCES' && followLinks) refuseOwner(folder, statSync(folder).uid);
    throw error;
  }
}

async function tighten(handle: FileHandle, folder: string): Promise<true> {
  await handle.chmod(OWNER_ONLY);
  if (((await handle.stat()).mode & OTHERS) === 0) return true;
  throw new FolderNotPrivateError(
    `${folder} is open to other users of this host, and its file system does not let that be changed: name another folder.`,
  );
}

/**
 * Rejects files that another user left while the folder was open to them: links may lead elsewhere, and contents are
 * untrusted.
 * @param names files and folders in use; missing ones are ignored
 * @throws FolderNotPrivateError if one of them, or anything below, belongs to neither this user nor root
 */
export function refuseForeignFiles(folder: string, names: readonly string[]): void {
  if (ownUser() === undefined) return;
  for (const name of names) {
    const place = path.join(folder, name);
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!found) continue;
    refuseFile(place, found.uid);
    if (!found.isDirectory()) continue;
    for (const below of readdirSync(place, { recursive: true, encoding: 'utf8' })) {
      const file = path.join(place, below);
      refuseFile(file, lstatSync(file).uid);
    }
  }
}

function refuseFile(file: string, uid: number): void {
  if (uid === ownUser() || uid === ROOT) return;
  throw new FolderNotPrivateError(
    `${file} belongs to another user of this host (uid ${uid}), who may have changed the data: ` +
      'restore the folder from a backup, or remove the file if you know what it is.',
  );
}
