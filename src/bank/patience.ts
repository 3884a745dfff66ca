import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../http/problem.js';

/** For so long an import waits for a database that is away or too busy, and for importers of the same account. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 250;

/** Whether the database was away or too busy. */
export const isUnavailableProblem = (error: unknown): boolean =>
  error instanceof Problem && error.status === 503;

/** Does what may be done again until the database takes it; at last it fails as the work does. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailableProblem(error) || performance.now() > until) throw error;
      await sleep(PAUSE_MS * (1 + Math.random()));
    }
  }
}
