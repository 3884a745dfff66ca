import type { CollectionAccount } from '../database/bank/collection-account.entity.js';
import type { CollectionAccountChange } from '../database/bank/collection-account-change.entity.js';

/** Where payers of a currency are sent, before a change takes effect and after it; null = they cannot transfer. */
export interface ChangeEffect {
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What a change would do to payers as things stand.
 * @param accounts those of live mode, in any currency, in the order in which payers are shown them
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
