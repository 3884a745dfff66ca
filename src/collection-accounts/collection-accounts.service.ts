import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { TtlCache } from '../common/ttl-cache.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import { CollectionAccountRepository } from '../database/bank/collection-accounts/collection-account.repository.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import type { NewCollectionAccount } from './account-fields.js';

/** Milliseconds for which the previous account may still be shown to payers. */
const SHOWN_TTL_MS = 5_000;
/** Cache entries, one per mode and currency. */
const SHOWN_MAX = 1_000;

/**
 * The platform's bank accounts for incoming transfers. Changes here apply to test mode; live accounts change only
 * through `CollectionAccountChangesService`, which the database enforces.
 */
@Injectable()
export class CollectionAccountsService {
  private shown = newShown();

  constructor(
    private readonly database: Database,
    private readonly accounts: CollectionAccountRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds an account after the existing ones. Payers are shown the first of a mode and currency.
   * @param account result of `readCollectionAccount`
   * @returns null if the account is already in use for this mode and currency, or known under another form of its number
   */
  async add(
    account: NewCollectionAccount,
    hook: TransactionHook<CollectionAccount> = noHook,
  ): Promise<CollectionAccount | null> {
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    try {
      return await this.change(async (tx) => {
        if (await this.accounts.isInUse(tx, account)) return null;
        const { last } = await this.accounts.ends(tx, account);
        const unused = { disabledAt: null, missingNotifiedAfter: null };
        const added = { ...account, id, position: last, createdAt, ...unused };
        await this.accounts.insert(tx, added);
        await hook(tx, added);
        return added;
      });
    } catch (error) {
      if (violatedUnique(error) === 'collection_accounts_once') return null;
      throw error;
    }
  }

  /** Accounts of a mode, or all, including disabled ones; the account shown to payers first. */
  list(mode?: Mode): Promise<CollectionAccount[]> {
    return this.accounts.list(mode);
  }

  /** Account shown to payers, cached for 5 seconds; null if there is none. */
  shownFor(mode: Mode, currency: string): Promise<CollectionAccount | null> {
    const find = () => this.accounts.findShown(mode, currency);
    return this.shown.get(`${mode} ${currency}`, find);
  }

  get(id: string): Promise<CollectionAccount | null> {
    return this.accounts.find(id);
  }

  /**
   * Shows this account to payers from now on, before all others of its mode and currency.
   * @returns false if it is not in use
   */
  prefer(id: string, hook: TransactionHook<CollectionAccount> = noHook): Promise<boolean> {
    return this.change(async (tx) => {
      const account = await this.accounts.lock(tx, id);
      if (!account) return false;
      const { first } = await this.accounts.ends(tx, account);
      if (!(await this.accounts.place(tx, id, first))) return false;
      await hook(tx, { ...account, position: first });
      return true;
    });
  }

  /**
   * Stops showing the account to payers. Later transfers to it are still matched.
   * @returns false if it is not in use
   */
  disable(id: string, hook: TransactionHook<CollectionAccount> = noHook): Promise<boolean> {
    return this.change(async (tx) => {
      const account = await this.accounts.lock(tx, id);
      const disabledAt = this.clock.now();
      if (!account || !(await this.accounts.disable(tx, id, disabledAt))) return false;
      await hook(tx, { ...account, disabledAt });
      return true;
    });
  }

  /** Clears the cache of this process. */
  clearShownCache(): void {
    this.shown = newShown();
  }

  private async change<T>(work: Parameters<typeof this.database.transaction<T>>[0]): Promise<T> {
    const result = await this.database.transaction(work);
    this.clearShownCache();
    return result;
  }
}

const newShown = () => new TtlCache<CollectionAccount | null>(() => SHOWN_TTL_MS, SHOWN_MAX);
