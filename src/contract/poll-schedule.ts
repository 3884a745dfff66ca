const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long after one poll of an unanswered payment the provider is asked again, in milliseconds; then daily. */
const FIRST_DELAYS_MS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR];

/** The delays of a schedule that ends with so many daily polls. */
export const pollDelaysMs = (days: number): readonly number[] => [
  ...FIRST_DELAYS_MS,
  ...Array.from({ length: days }, () => DAY),
];

const totalMs = (days: number): number => pollDelaysMs(days).reduce((sum, delay) => sum + delay, 0);

/** Since when a provider is asked, and until when the order can be paid. */
interface Awaited {
  readonly startedAt: Date;
  readonly expiresAt: Date;
}

/** When the provider is asked for the last time: with no answer then, the order ends unpaid. */
export function lastPollAt({ startedAt, expiresAt }: Awaited, days: number): Date {
  const scheduled = new Date(startedAt.getTime() + totalMs(days));
  return scheduled > expiresAt ? scheduled : expiresAt;
}

/**
 * When the provider is asked next, after `polls` polls; null = that was the last. An order that
 * expires before is looked at then: it may not expire without a poll.
 * @param days on which it is asked daily, after the first hours
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
