import { ConfigError } from '../config/config.js';
import { DatabaseFolderInUseError } from '../database/embedded/folder-lock.js';
import { isUnavailable } from '../database/faults.js';

/** PostgreSQL's name for a wrong password. */
const INVALID_PASSWORD = '28P01';

/** What kept the program from starting: a sentence where the operator can mend it, else the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (error instanceof ConfigError || error instanceof DatabaseFolderInUseError) {
    return error.message;
  }
  if (code === 'EADDRINUSE') {
    return `Something listens on ${address}:${port} already: stop it, or set PORT to another port.`;
  }
  if (isUnavailable(error) || code === INVALID_PASSWORD) {
    return `The database cannot be used: ${error.message || code}. Check DATABASE_URL and the server.`;
  }
  return error.stack ?? error.message;
}
