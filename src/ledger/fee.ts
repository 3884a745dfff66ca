const MILLION = 1_000_000n;

/** Fee of a paid order, in minor units of its currency. */
export interface Fee {
  /** Part of the order's amount: 29,000 is 2.9 %. */
  readonly partsPerMillion: number;
  readonly fixed: number;
}

/** Exact, with half-even rounding, so that many fees together are not too high. */
function share(amount: number, partsPerMillion: number): number {
  const product = BigInt(amount) * BigInt(partsPerMillion);
  const whole = product / MILLION;
  const twice = (product % MILLION) * 2n;
  const up = twice > MILLION || (twice === MILLION && whole % 2n === 1n);
  return Number(up ? whole + 1n : whole);
}

/** The fee for an order of `amount` minor units; never more than the order itself. */
export function feeOf(amount: number, fee: Fee | null): number {
  if (!fee) return 0;
  return Math.min(amount, share(amount, fee.partsPerMillion) + fee.fixed);
}
