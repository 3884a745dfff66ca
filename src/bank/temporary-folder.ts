import type { Stats } from 'node:fs';
import { lstat, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FolderNotPrivateError, privateFolder } from '../common/private-folder.js';

/** Milliseconds after which whoever made something here was killed: no import lasts that long, and no upload waits so long. */
const LEFT_MS = 24 * 3_600_000;
/** What versions before this folder left in the folder for temporary files itself. */
const EARLIER = /^(?:bank-file-|payment-order-uploads-)/;

const WRITABLE_BY_OTHERS = 0o022;
const ROOT = 0;
/** Only the owner of a file may rename or remove it, such as in /tmp. */
const STICKY = 0o1000;
const OTHERS = 0o077;

const ownUser = (): number => process.geteuid?.() ?? 0;

/** The one folder of this user for bank files that are not kept. Nobody else may enter it. */
export const temporaryFolder = (): string => path.join(os.tmpdir(), `payment-orders-${ownUser()}`);

/**
 * Makes it, and proves that it is this user's, before it is written to, read, or cleared.
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

/** Whether the owner of a file alone can rename it there. */
const isKeptByOwners = ({ uid, mode }: Stats): boolean =>
  [ROOT, ownUser()].includes(uid) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & STICKY) !== 0);

/**
 * Removes what killed processes left, and uploads of databases that are gone. Nobody else can put a link in the way
 * meanwhile: what is removed lies in a folder that is this user's alone, or is such a folder and lies where nobody else can
 * rename it. What cannot be removed does not hold anybody up.
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
