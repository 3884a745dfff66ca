import { isUsableAccount } from '../../payouts/bank-accounts.service.js';
import type { BankAccount } from '../../database/payouts/bank-accounts/bank-account.entity.js';
import type { AccountBalance } from '../../database/ledger/ledger.repository.js';

/** Balance of a merchant in one currency, in minor units. */
export interface CurrencyBalance {
  readonly currency: string;
  /** Negative if refunds and chargebacks exceeded the balance. */
  readonly available: number;
  readonly onItsWay: number;
  /** Unallocated funds. */
  readonly unexplained: number;
}

const NOTHING = { available: 0, onItsWay: 0, unexplained: 0 };

const SHOWN: Readonly<Record<string, keyof typeof NOTHING>> = {
  available: 'available',
  payout_pending: 'onItsWay',
  unallocated: 'unexplained',
};

/** One balance per currency the merchant has ever had money in, in alphabetical order. */
export function currencyBalancesOf(balances: readonly AccountBalance[]): CurrencyBalance[] {
  const currencyBalances = new Map<string, CurrencyBalance>();
  for (const { currency, account, amount } of balances) {
    const name = Object.hasOwn(SHOWN, account) ? SHOWN[account] : undefined;
    if (!name) continue;
    currencyBalances.set(currency, {
      currency,
      ...NOTHING,
      ...currencyBalances.get(currency),
      [name]: amount,
    });
  }
  return [...currencyBalances.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** A bank account of the merchant and whether it can receive payouts. */
export interface OfferedAccount extends Pick<BankAccount, 'id' | 'holder' | 'iban' | 'usableFrom'> {
  readonly state: 'usable' | 'unconfirmed' | 'waiting' | 'unnoticed';
}

/** Sorts usable accounts first. */
export function offered(accounts: readonly BankAccount[], now: Date): OfferedAccount[] {
  const all = accounts.map((account) => ({ ...account, state: stateOf(account, now) }));
  const usable = all.filter(({ state }) => state === 'usable');
  return [...usable, ...all.filter((account) => !usable.includes(account))];
}

function stateOf(account: BankAccount, now: Date): OfferedAccount['state'] {
  if (isUsableAccount(account, now)) return 'usable';
  if (account.confirmedAt === null) return 'unconfirmed';
  return account.noticedAt === null ? 'unnoticed' : 'waiting';
}

/** Why no payout can be requested at the moment. */
export type Obstacle =
  | { readonly kind: 'no_account' | 'unconfirmed' | 'unnoticed' | 'nothing_available' }
  | { readonly kind: 'waiting'; readonly until: Date };

/** Null if a payout can be requested. Account problems come first: a new account takes a day. */
export function obstacleTo(
  currencyBalances: readonly CurrencyBalance[],
  accounts: readonly OfferedAccount[],
): Obstacle | null {
  if (!accounts.some(({ state }) => state === 'usable')) return accountObstacle(accounts);
  return currencyBalances.some(({ available }) => available > 0)
    ? null
    : { kind: 'nothing_available' };
}

function accountObstacle(accounts: readonly OfferedAccount[]): Obstacle {
  if (accounts.length === 0) return { kind: 'no_account' };
  const [first] = accounts
    .filter(({ state }) => state === 'waiting')
    .map(({ usableFrom }) => usableFrom)
    .toSorted((a, b) => a.getTime() - b.getTime());
  if (first) return { kind: 'waiting', until: first };
  return {
    kind: accounts.some(({ state }) => state === 'unnoticed') ? 'unnoticed' : 'unconfirmed',
  };
}
