import type { Stats } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FolderNotPrivateError, privateFolder } from '../../common/private-folder.js';

/** Milliseconds after which the creator of a file counts as killed: no import or upload lasts as long. */
const LEFT_MS = 24 * 3_600_000;

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;
/** Sticky bit, as on /tmp: only the owner of a file may rename or remove it. */
const STICKY = 0o1000;

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
 * Removes files of killed processes and uploads of deleted databases. Skips what cannot be removed. Reads nothing of
 * the system's temporary folder: other users can fill that with any number of names.
 * @param folder the private folder, in which only this user makes files
 */
export async function clearTemporaryFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.allSettled(names.map((name) => clearIfLeft(path.join(folder, name))));
}

async function clearIfLeft(place: string): Promise<void> {
  const found = await lstat(place);
  const isLeft = found.isDirectory() && found.mtimeMs < Date.now() - LEFT_MS;
  if (isLeft) await rm(place, { recursive: true, force: true });
}
