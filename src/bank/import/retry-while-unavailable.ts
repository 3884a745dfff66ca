import { setTimeout as sleep } from 'node:timers/promises';
import { isStatementTimeout } from '../../database/faults.js';
import { UnavailableError } from '../../overload/errors.js';

/** How long an import retries while the database is unavailable or busy, or another import holds the account. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 250;
/** Maximum statement timeouts of the work itself: more retries would not help. */
const TIMEOUTS_MAX = 3;

const tookTooLong = (error: UnavailableError): boolean => isStatementTimeout(error.cause ?? error);

/**
 * Whether the database was unavailable or too busy. Excludes statement timeouts of the work itself: a retry would time
 * out, too.
 */
export const isNoFaultOfWork = (error: unknown): boolean =>
  error instanceof UnavailableError && !tookTooLong(error);

/** Retries idempotent work while the database is unavailable; then throws its error. */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  let timeouts = 0;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > until) throw error;
      if (tookTooLong(error) && ++timeouts >= TIMEOUTS_MAX) throw error;
      await sleep(PAUSE_MS * (1 + Math.random()));
    }
  }
}
