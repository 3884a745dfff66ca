import type { RoundRobin } from './round-robin.js';
import { fairnessKey, isForRequest, isUnauthenticated } from './request-context.js';

/** Maximum share of the queue for one fairness key. */
export const WAITING_PER_HOLDER = 0.5;
/** Maximum share of the queue for all unauthenticated requests, known only by their network. */
export const UNAUTHENTICATED_SHARE = 0.5;

/** Work in a queue for the database. */
export interface Waiting {
  readonly isUnauthenticated: boolean;
  reject(): void;
}

/**
 * Whether one more may be queued; may evict the newest item of the longest queue. Background work is always queued,
 * because it would only be retried.
 * @param max maximum queue length
 * @param counted selects the items that count for it
 */
export function tryEnqueue<Work extends Waiting>(
  line: RoundRobin<Work>,
  max: number,
  counted: (waiting: Work) => boolean = () => true,
): boolean {
  // Even all waiting items together are within every limit.
  if (!isForRequest() || line.size < max * Math.min(WAITING_PER_HOLDER, UNAUTHENTICATED_SHARE))
    return true;
  const whose = fairnessKey();
  const ofUnauthenticated = (waiting: Work): boolean =>
    counted(waiting) && waiting.isUnauthenticated;
  const count = (which: typeof counted): number => [...line].filter(which).length;
  const makeRoom = (which: typeof counted): boolean =>
    line.makeRoom(whose, (last) => last.reject(), which);
  const own = line.of(whose).filter(counted).length;
  if (whose !== undefined && own >= max * WAITING_PER_HOLDER) return false;
  if (isUnauthenticated() && count(ofUnauthenticated) >= max * UNAUTHENTICATED_SHARE)
    return makeRoom(ofUnauthenticated);
  return line.size < max || count(counted) < max || makeRoom(counted);
}
