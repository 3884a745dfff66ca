import type { Stats } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FolderNotPrivateError, privateFolder } from '../../common/private-folder.js';

/** Milliseconds after which the creator of a file counts as killed: no import or upload lasts as long. */
const LEFT_MS = 24 * 3_600_000;
/** Left in the system's temporary folder by earlier versions. */
const EARLIER = /^(?:bank-file-|payment-order-uploads-)/;

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;
/** Sticky bit, as on /tmp: only the owner of a file may rename or remove it. */
const STICKY = 0o1000;
const OTHERS = 0o077;

const ownUser = (): number => process.geteuid?.() ?? 0;

/** This user's private folder for temporary bank files. */
export const temporaryFolder = (): string => path.join(os.tmpdir(), `payment-orders-${ownUser()}`);

/**
 * Creates the folder, and verifies that this user owns it before it is read, written or cleared.
 * @throws FolderNotPrivateError
 */
export async function openTemporaryFolder(): Promise<string> {
  if (process.geteuid && !isKeptByOwners(await stat(os.tmpdir())))
    throw new FolderNotPrivateError(
      `Other users of this host can rename what is in ${os.tmpdir()}: ` +
        'give it the sticky bit (chmod +t), or set TMPDIR to a folder of your own.',
    );
  const folder = temporaryFolder();
  await privateFolder(folder, { refuseWritable: true });
  return folder;
}

/** Whether only the owner of a file can rename it there. */
const isKeptByOwners = ({ uid, mode }: Stats): boolean =>
  [ROOT, ownUser()].includes(uid) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);

/**
 * Removes files of killed processes and uploads of deleted databases. Safe against link attacks: only entries of this
 * user's private folder are removed, or private folders in a place where only the owner can rename them. Skips what
 * cannot be removed.
 */
export async function clearTemporaryFolder(folder: string): Promise<void> {
  const [names, earlier] = await Promise.all([readdir(folder), readdir(os.tmpdir())]);
  await Promise.allSettled([
    ...names.map((name) => clearIfLeft(path.join(folder, name))),
    ...earlier
      .filter((name) => EARLIER.test(name))
      .map((name) => clearIfLeft(path.join(os.tmpdir(), name))),
  ]);
}

async function clearIfLeft(place: string): Promise<void> {
  const found = await lstat(place);
  const isOwn = !process.geteuid || (found.uid === ownUser() && (found.mode & OTHERS) === 0);
  const isLeft = found.isDirectory() && found.mtimeMs < Date.now() - LEFT_MS;
  if (isOwn && isLeft) await rm(place, { recursive: true, force: true });
}
