const MINUTE_MS = 60_000;

/** An address that does not answer is asked again no sooner than this, in milliseconds. */
export const ASK_AGAIN_MS = 5 * MINUTE_MS;
/** Each further pause is so many times as long, */
const GROWTH = 4;
/** but no longer than a week. */
const LONGEST_MS = 7 * 24 * 60 * MINUTE_MS;

/** Milliseconds between the last of `questions` that had no answer and the next. */
export const pauseAfter = (questions: number): number =>
  Math.min(ASK_AGAIN_MS * GROWTH ** (questions - 1), LONGEST_MS);
