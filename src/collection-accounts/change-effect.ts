import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import type { CollectionAccountChange } from '../database/bank/collection-accounts/collection-account-change.entity.js';

/** Account shown to payers of a currency before and after a change; null = transfers are not possible. */
export interface ChangeEffect {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Effect of a change with the current accounts.
 * @param accounts live accounts of all currencies, in the order in which they are shown to payers
 */
export function effectOf(
  { kind, accountId, account, currency }: CollectionAccountChange,
  accounts: readonly CollectionAccount[],
): ChangeEffect {
  const usable = accounts.filter((each) => each.currency === currency && each.disabledAt === null);
  const before = usable[0]?.account ?? null;
  if (kind === 'add') return { before, after: before ?? account };
  if (kind === 'prefer') return { before, after: account };
  return { before, after: usable.find(({ id }) => id !== accountId)?.account ?? null };
}
