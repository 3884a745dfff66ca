const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds between the first polls of a pending payment; then daily. */
const FIRST_DELAYS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR];

/** Delays of a schedule with the given number of daily polls. */
export const pollDelaysMs = (days: number): readonly number[] => [
  ...FIRST_DELAYS_MS,
  ...Array.from({ length: days }, () => DAY),
];

const totalMs = (days: number): number => pollDelaysMs(days).reduce((sum, delay) => sum + delay, 0);

/** Start of the payment and expiry of its order. */
interface Awaited {
  readonly startedAt: Date;
  readonly expiresAt: Date;
}

/** Time of the last poll; without an answer then, the order ends unpaid. */
export function lastPollAt({ startedAt, expiresAt }: Awaited, days: number): Date {
  const scheduled = new Date(startedAt.getTime() + totalMs(days));
  return scheduled > expiresAt ? scheduled : expiresAt;
}

/**
 * Time of the next poll after `polls` polls; null after the last one. An order that expires earlier is polled at its
 * expiry, since it must not expire without a poll.
 * @param days number of daily polls after the first hours
 */
export function nextPollAt(polls: number, now: Date, awaited: Awaited, days: number): Date | null {
  const { expiresAt } = awaited;
  const last = lastPollAt(awaited, days);
  if (now >= last) return null;
  const wait = pollDelaysMs(days)[polls];
  const next = wait === undefined ? last : earlier(new Date(now.getTime() + wait), last);
  return expiresAt > now ? earlier(next, expiresAt) : next;
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
