import { chmodSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The file in a folder that is locked. */
export const LOCK_FILE = 'in-use.lock';

/** Another connection holds the lock, https://www.sqlite.org/rescode.html#busy */
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
 * Makes the caller the only user of an existing folder and returns what ends that. PGlite itself
 * would let two processes write to one folder, and both would lose rows.
 *
 * The lock is the operating system's, through SQLite because Node.js offers none of its own: it
 * goes with the process, however that ends. It lies inside the folder, so that every name of the
 * folder (a link, a mounted volume) leads to the same lock.
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
