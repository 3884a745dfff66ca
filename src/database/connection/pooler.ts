import { POOL_LIMITS, type ServerConnection, serverOptions } from '../data-source.js';
import { DatabaseClient } from './client.js';

/** Checks for shared sessions; several, because other programs may use the pooler, too. */
const ATTEMPTS = 5;
/** PgBouncer's error for startup parameters that it does not forward. */
const REFUSED = /unsupported startup parameter/;
const SETTING = 'DATABASE_URL=postgres://…?pooler=transaction';

/** The pooler or the role is not configured as the program requires. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/**
 * Checks that sessions are not shared and have limits, without which one statement could block all others.
 * @throws PoolerError with instructions
 */
export async function assertLimits(connection: ServerConnection): Promise<void> {
  const sessions = [1, 2].map(() => new DatabaseClient(serverOptions(connection)));
  try {
    for (const session of sessions) await session.connect();
    if (!connection.isPooled && (await areShared(sessions))) throw new PoolerError(SHARED);
    for (const session of sessions) await assertLimited(session);
  } catch (error) {
    const { message } = error as Error;
    throw REFUSED.test(message) ? new PoolerError(refusedBecause(message)) : error;
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

/** Whether sessions change between transactions, or are shared. */
async function areShared(sessions: readonly DatabaseClient[]): Promise<boolean> {
  const [pairs, processes] = [new Set<string>(), new Set<number>()];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    for (const [n, session] of sessions.entries()) {
      const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      pairs.add(`${n} ${rows[0]!.pid}`);
      processes.add(rows[0]!.pid);
    }
  }
  return pairs.size > sessions.length || processes.size < sessions.length;
}

const UNLIMITED = `SELECT name, quote_ident(session_user) AS role FROM pg_settings WHERE setting = '0'
  AND name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`;

interface Unlimited {
  readonly name: 'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout';
  readonly role: string;
}

async function assertLimited(session: DatabaseClient): Promise<void> {
  const { rows } = await session.query<Unlimited>(UNLIMITED);
  if (rows.length === 0) return;
  const sentences = rows.map(
    ({ name, role }) => `ALTER ROLE ${role} SET ${name} = '${POOL_LIMITS[name] / 1_000}s';`,
  );
  throw new PoolerError(
    `Sessions behind the pooler have no limits, so its role must have them: run "${sentences.join(' ')}", then let the pooler open new sessions (PgBouncer: RECONNECT).`,
  );
}

const SHARED = `A pooler in front of the database gives each transaction another session: set ${SETTING}, or let it pool sessions.`;

const refusedBecause = (message: string): string =>
  `A pooler in front of the database does not take the limits of sessions (${message}): set ${SETTING}; or, where it pools sessions, let it ignore them (PgBouncer: ignore_startup_parameters).`;
