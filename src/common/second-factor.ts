/** Milliseconds for which a second factor stays valid for actions that move money or change access. */
const FRESH_MS = 5 * 60_000;

/** `FRESH_MS` in words. */
export const FRESH_FOR = 'five minutes';

/** Whether a second factor verified at this time is still valid; null if never verified. */
export function isFresh(shownAt: Date | null, now: Date): boolean {
  return shownAt !== null && now.getTime() - shownAt.getTime() <= FRESH_MS;
}
