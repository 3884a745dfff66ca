/** Maximum sums that are looked at per side (a few milliseconds). Above it, the amounts count as cancelling out. */
const SUMS_MAX = 40_000;

/** Whether some of the signed amounts may add up to zero, so that balances do not prove that they exist. */
export function mayCancelOut(amounts: readonly bigint[]): boolean {
  const ins = amounts.filter((each) => each > 0n);
  const outs = amounts.flatMap((each) => (each < 0n ? -each : []));
  const totals = [total(ins), total(outs)] as const;
  // A sum above the smaller total has no counterpart on the other side.
  const limit = totals[0] < totals[1] ? totals[0] : totals[1];
  if (limit === 0n) return false;
  const [some, others] = [sumsOf(ins, limit), sumsOf(outs, limit)];
  return !some || !others || [...some].some((sum) => sum !== 0n && others.has(sum));
}

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** Sums of all subsets up to the limit; undefined = too many. */
function sumsOf(amounts: readonly bigint[], limit: bigint): Set<bigint> | undefined {
  const sums = new Set([0n]);
  let steps = 0;
  const usable = amounts.filter((each) => each <= limit);
  for (const [amount, { length: count }] of Map.groupBy(usable, (each) => each)) {
    for (const start of Array.from(sums)) {
      let sum = start;
      steps += 1;
      if (steps > SUMS_MAX) return undefined;
      for (let n = 0; n < count && sum + amount <= limit; n++) {
        sum += amount;
        sums.add(sum);
        steps += 1;
        if (steps > SUMS_MAX) return undefined;
      }
    }
  }
  return sums;
}
