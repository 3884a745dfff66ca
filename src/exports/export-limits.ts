/** Milliseconds for which finished exports and their files are kept. */
export const KEPT_MS = 7 * 24 * 3_600_000;
