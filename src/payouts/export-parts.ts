/** Maximum lines per file: their hashes are recalculated before writing, which takes some seconds. */
export const FILE_LINES_MAX = 1_000_000;
/** Maximum lines hashed per statement, unless a single payout has more. */
export const PART_LINES_MAX = 100_000;

export interface Counted {
  readonly lines: number;
}

/** The longest prefix with at most `max` lines in total; at least one item. */
export function fitting<T extends Counted>(all: readonly T[], max: number): T[] {
  let sum = 0;
  const end = all.findIndex(({ lines }, i) => (sum += lines) > max && i > 0);
  return end < 0 ? [...all] : all.slice(0, end);
}

/** Splits the items, in order, into parts of at most `max` lines; each has at least one item. */
export function partsOf<T extends Counted>(all: readonly T[], max: number): T[][] {
  const parts: T[][] = [];
  for (let rest = all; rest.length > 0; rest = rest.slice(parts.at(-1)!.length)) {
    parts.push(fitting(rest, max));
  }
  return parts;
}
