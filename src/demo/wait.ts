import { setTimeout as sleep } from 'node:timers/promises';
import { Difference } from './report.js';

/** Sandbox results are immediate; a real bank may take days. */
const LIMIT_MS = 10_000;
const POLL_MS = 20;

/**
 * Polls until there is a result.
 * @throws Difference on timeout
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Difference(`after ${LIMIT_MS / 1000} s, ${what}`);
    await sleep(POLL_MS);
  }
}
