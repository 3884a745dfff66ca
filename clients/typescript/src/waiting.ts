import { setTimeout as timeout } from 'node:timers/promises';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/**
 * Milliseconds before the next try: twice as long each time, never less than the service asked for, and
 * not the same for everybody who was sent away at once.
 */
export function pauseMs(attempt: number, askedMs = 0): number {
  const own = Math.min(FIRST_MS * 2 ** attempt, LONGEST_MS);
  return Math.max(askedMs, own / 2) + (Math.random() * own) / 2;
}

/** @throws what the signal says */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timeout(ms, undefined, signal ? { signal } : {}).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
}
