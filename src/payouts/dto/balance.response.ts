import type { Mode } from '../../database/entities/api-key.entity.js';
import type { Account } from '../../database/entities/transfer.entity.js';
import type { AccountBalance } from '../../database/repositories/ledger.repository.js';

/** One currency of a merchant, in minor units. */
export interface BalanceResponse {
  readonly mode: Mode;
  readonly currency: string;
  /** What can be paid out; below 0 when more was taken back than came in. */
  readonly available: number;
  readonly payoutPending: number;
  readonly unallocated: number;
}

export interface BalanceListResponse {
  readonly data: readonly BalanceResponse[];
}

/**
 * The merchant's own accounts, one entry a currency. Where the money came from and what fees came to
 * is no balance of the merchant's.
 */
export const balanceList = (accounts: readonly AccountBalance[]): BalanceListResponse => ({
  data: [...Map.groupBy(accounts, ({ currency }) => currency).values()].map(balanceOf),
});

function balanceOf(accounts: readonly AccountBalance[]): BalanceResponse {
  const { mode, currency } = accounts[0]!;
  const amountOf = (name: Account): number =>
    accounts.find(({ account }) => account === name)?.amount ?? 0;
  return {
    mode,
    currency,
    available: amountOf('available'),
    payoutPending: amountOf('payout_pending'),
    unallocated: amountOf('unallocated'),
  };
}
