const STEPS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats in the largest unit with a count of at least 2, such as `90 minutes`. */
export function durationOf(seconds: number): string {
  const [size, unit] = STEPS.find(([length]) => seconds >= 2 * length) ?? [1, 'second'];
  const count = Math.max(0, Math.floor(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
