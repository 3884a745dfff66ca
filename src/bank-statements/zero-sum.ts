/** Sums that are looked at; where there are more, one of them may be zero. */
const SUMS_MAX = 4_096;

/** Whether some of these amounts may come to nothing together, so that a balance does not show whether they are there. */
export function mayCancelOut(amounts: readonly bigint[]): boolean {
  const hasBothSigns = amounts.some((each) => each > 0n) && amounts.some((each) => each < 0n);
  if (!hasBothSigns) return false;
  const sums = new Set<bigint>();
  for (const amount of amounts) {
    for (const sum of [0n, ...sums]) sums.add(sum + amount);
    if (sums.has(0n) || sums.size > SUMS_MAX) return true;
  }
  return false;
}
