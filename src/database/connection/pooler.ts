import { POOL_LIMITS, type ServerConnection, serverOptions } from '../data-source.js';
import { DatabaseClient } from './client.js';

/** Sessions that are told apart in so many looks: other programs may use the pooler, too. */
const ATTEMPTS = 5;
/** PgBouncer's words for what it does not pass on. */
const REFUSED = /unsupported startup parameter/;
const SETTING = 'DATABASE_URL=postgres://…?pooler=transaction';

/** What stands in front of the database, or its role, is not what the program takes it for. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError';
}

/**
 * Finds out whether sessions are the program's own and have limits, without which one statement could
 * hold up all others.
 * @throws PoolerError with what is to be done
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

/** Whether a session is not the same in each transaction, or not another one than its neighbour. */
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
