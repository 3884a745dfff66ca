import { FolderNotPrivateError } from '../common/private-folder.js';
import { ConfigError } from '../config/config.js';
import { PoolerError } from '../database/connection/pooler.js';
import { DatabaseFolderInUseError } from '../database/embedded/folder-lock.js';
import { isLockTimeout, isStatementTimeout, isUnavailable } from '../database/faults.js';
import { MigrationError } from '../database/schema/migrate.js';
import { ProgramTooOldError } from '../database/schema/schema-version-guard.js';

/** PostgreSQL error code for a wrong password. */
const INVALID_PASSWORD = '28P01';

/** Errors whose message is sufficient. */
const PLAIN = [
  ConfigError,
  DatabaseFolderInUseError,
  FolderNotPrivateError,
  PoolerError,
  ProgramTooOldError,
];
const IN_USE = 'Another session has used a table for too long: end it, or wait. ';
const TOO_SLOW =
  'The limit of the role was too short: run it once with the address of the server, not of a pooler, in DATABASE_URL. ';

/** Explains why the startup failed: a sentence if the operator can fix it, else the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (PLAIN.some((type) => error instanceof type)) return error.message;
  if (error instanceof MigrationError) {
    return `The tables could not be brought up to date: ${error.message}. ${hintOf(error.cause)}What ran before stays; start again, or run "npm run cli -- migrate".`;
  }
  if (code === 'EADDRINUSE') {
    return `Something listens on ${address}:${port} already: stop it, or set PORT to another port.`;
  }
  if (isUnavailable(error) || code === INVALID_PASSWORD) {
    return `The database cannot be used: ${error.message || code}. Check DATABASE_URL and the server.`;
  }
  return error.stack ?? error.message;
}

function hintOf(cause: unknown): string {
  if (isLockTimeout(cause)) return IN_USE;
  return isStatementTimeout(cause) ? TOO_SLOW : '';
}
