/** Totals of one currency in minor units; may exceed the safe integers. */
export interface OrderSum {
  readonly currency: string;
  readonly orders: number;
  readonly amount: bigint;
  readonly amountReceived: bigint;
  readonly amountRefunded: bigint;
  /** Of paid orders only, like `net`. */
  readonly fee: bigint;
  readonly net: bigint;
}

/** Net amount of a paid order; paid orders always have a fee, possibly 0. */
export const NET = 'o.amount - o.fee';

/** Columns of a `SummedRow`, grouped by currency. */
export const SUMS = `o.currency, count(*)::text AS orders, sum(o.amount)::text AS amount,
  sum(o.amount_received)::text AS "amountReceived",
  sum(o.amount_refunded)::text AS "amountRefunded",
  coalesce(sum(o.fee), 0)::text AS fee, coalesce(sum(${NET}), 0)::text AS net`;

export type SummedRow = Readonly<Record<keyof OrderSum, string>>;

export const sumIn = (row: SummedRow): OrderSum => ({
  currency: row.currency,
  orders: Number(row.orders),
  amount: BigInt(row.amount),
  amountReceived: BigInt(row.amountReceived),
  amountRefunded: BigInt(row.amountRefunded),
  fee: BigInt(row.fee),
  net: BigInt(row.net),
});
