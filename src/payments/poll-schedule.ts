const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long after one poll of an unanswered payment the provider is asked again, in milliseconds. */
export const POLL_DELAYS_MS: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  6 * HOUR,
  DAY,
  DAY,
  DAY,
  DAY,
  DAY,
];

/**
 * When the provider is asked next, after `polls` polls; null = the schedule is used up. An order that
 * expires before is looked at then: it may not expire without a last poll.
 */
export function nextPollAt(polls: number, now: Date, expiresAt: Date): Date | null {
  const wait = POLL_DELAYS_MS[polls];
  const scheduled = wait === undefined ? null : new Date(now.getTime() + wait);
  const atExpiry = expiresAt > now ? expiresAt : null;
  if (!scheduled || !atExpiry) return scheduled ?? atExpiry;
  return atExpiry < scheduled ? atExpiry : scheduled;
}
