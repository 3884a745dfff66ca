/** What the model takes off a paid order. */
export interface ModelFee {
  readonly partsPerMillion: number;
  readonly fixed: number;
}

/** A half goes to the even neighbour; never more than the order. */
export function feeOf(amount: number, fee: ModelFee | undefined): number {
  if (!fee) return 0;
  const exact = BigInt(amount) * BigInt(fee.partsPerMillion);
  let share = (2n * exact + 1_000_000n) / 2_000_000n;
  if ((2n * exact) % 2_000_000n === 1_000_000n && share % 2n === 1n) share -= 1n;
  const whole = Number(share) + fee.fixed;
  return whole > amount ? amount : whole;
}
