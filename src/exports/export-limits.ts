/** Exports and their files are kept so long after their end, in milliseconds. */
export const KEPT_MS = 7 * 24 * 3_600_000;
