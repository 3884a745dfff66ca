const MINUTE_MS = 60_000;

/** Minimum milliseconds between two consent requests without an answer. */
export const ASK_AGAIN_MS = 5 * MINUTE_MS;
/** Growth factor of each further pause, */
const GROWTH = 4;
/** up to a week. */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;

/** Milliseconds until the next consent request after `questions` without an answer. */
export const pauseAfter = (questions: number): number =>
  Math.min(ASK_AGAIN_MS * GROWTH ** (questions - 1), LONGEST_MS);
