/** Lines in one file: their hashes are made again before it is written, which takes some seconds. */
export const FILE_LINES_MAX = 1_000_000;
/** Lines that one statement hashes, unless one payout alone has more. */
export const PART_LINES_MAX = 100_000;

export interface Counted {
  readonly lines: number;
}

/** The first of them that have at most `max` lines together; one at least. */
export function fitting<T extends Counted>(all: readonly T[], max: number): T[] {
  let sum = 0;
  const end = all.findIndex(({ lines }, i) => (sum += lines) > max && i > 0);
  return end < 0 ? [...all] : all.slice(0, end);
}

/** All of them, in their order, in parts of at most `max` lines; a part has one at least. */
export function partsOf<T extends Counted>(all: readonly T[], max: number): T[][] {
  const parts: T[][] = [];
  for (let rest = all; rest.length > 0; rest = rest.slice(parts.at(-1)!.length)) {
    parts.push(fitting(rest, max));
  }
  return parts;
}
