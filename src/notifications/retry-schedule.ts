const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between failed attempts, with their jitter. */
export interface RetrySchedule {
  readonly delays: readonly number[];
  readonly jitter: number;
}

/** Ten attempts in three days: the example of Standard Webhooks 1.0.0. */
export const WEBHOOK_RETRIES: RetrySchedule = {
  delays: [
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  jitter: 0.2,
};

/** Six attempts in fifteen hours. */
export const MAIL_RETRIES: RetrySchedule = {
  delays: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR],
  jitter: 0,
};

/**
 * Time of the next attempt.
 * @param attempts failed attempts so far
 * @param random from 0 to 1
 * @returns null after the last attempt
 */
export function nextAttemptAt(
  { delays, jitter }: RetrySchedule,
  attempts: number,
  now: Date,
  random: number = Math.random(),
): Date | null {
  const delay = delays[attempts - 1];
  if (delay === undefined) return null;
  return new Date(now.getTime() + Math.round(delay * (1 + jitter * (2 * random - 1))));
}
