/** Milliseconds for which a second factor is good for what moves money or decides who has access. */
const FRESH_MS = 5 * 60_000;

/** The same in words. */
export const FRESH_FOR = 'five minutes';

/** Whether a second factor that was shown then is good now; null = it never was shown. */
export function isFresh(shownAt: Date | null, now: Date): boolean {
  return shownAt !== null && now.getTime() - shownAt.getTime() <= FRESH_MS;
}
