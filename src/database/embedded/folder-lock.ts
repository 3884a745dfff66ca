import { chmodSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Lock file in the folder. */
export const LOCK_FILE = 'in-use.lock';

/** Another connection holds the lock: https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

export class DatabaseFolderInUseError extends Error {
  constructor(folder: string, options?: ErrorOptions) {
    super(
      `The database folder ${folder} is in use by another process: ` +
        'stop that process, or give this one another folder.',
      options,
    );
    this.name = 'DatabaseFolderInUseError';
  }
}

/**
 * Locks an existing folder for this process and returns a function that unlocks it. PGlite itself would let two
 * processes write to one folder, and both would lose rows.
 *
 * The lock is the operating system's, by SQLite because Node.js has no file locks: it is released when the process ends
 * in any way. The file is inside the folder, so that every path of the folder (a link, a mounted volume) has the same
 * lock.
 */
export function lockFolder(folder: string): () => void {
  const file = path.join(folder, LOCK_FILE);
  const lock = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new DatabaseFolderInUseError(folder, { cause: error });
  }
  return () => lock.close();
}
