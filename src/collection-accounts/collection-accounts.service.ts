import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Kept } from '../common/waiting/kept.js';
import type { CollectionAccount } from '../database/bank/collection-account.entity.js';
import { CollectionAccountRepository } from '../database/bank/collection-account.repository.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import type { NewCollectionAccount } from './account-fields.js';

/** Milliseconds for which payers may still be told of the account of before. */
const SHOWN_MS = 5_000;
/** Modes and currencies. */
const SHOWN_MAX = 1_000;

/**
 * The platform's own accounts at banks, to which payers transfer money. Only those of test mode are changed here: live
 * ones by `CollectionAccountChangesService`, which the database demands.
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
   * Behind those that are there: the first of a mode and currency is the one that payers are told of.
   * @param account what `readCollectionAccount` gives
   * @returns null when the account is in use for this mode and currency already
   */
  async add(
    account: NewCollectionAccount,
    hook: TransactionHook<CollectionAccount> = noHook,
  ): Promise<CollectionAccount | null> {
    const createdAt = this.clock.now();
    const id = uuidv7(createdAt.getTime());
    try {
      return await this.change(async (tx) => {
        const { last } = await this.accounts.ends(tx, account);
        const unused = { disabledAt: null, toldMissingAfter: null };
        const added = { ...account, id, position: last, createdAt, ...unused };
        await this.accounts.insert(tx, added);
        await this.accounts.wakeLines(tx, added);
        await hook(tx, added);
        return added;
      });
    } catch (error) {
      if (violatedUnique(error) === 'collection_accounts_once') return null;
      throw error;
    }
  }

  /** Those of a mode, or all, also those that are disabled; the one that payers are told of first. */
  list(mode?: Mode): Promise<CollectionAccount[]> {
    return this.accounts.list(mode);
  }

  /** The account that payers are told of, as it was up to 5 seconds ago; null while there is none. */
  shownFor(mode: Mode, currency: string): Promise<CollectionAccount | null> {
    const find = () => this.accounts.findShown(mode, currency);
    return this.shown.get(`${mode} ${currency}`, find);
  }

  get(id: string): Promise<CollectionAccount | null> {
    return this.accounts.find(id);
  }

  /**
   * Payers are told of this account from now on, before all others of its mode and currency.
   * @returns false when it is not in use
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
   * Payers are told of it no more. What comes all the same is matched as before.
   * @returns false when it is not in use
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

  /** Who asks this process from now on is told what is true now. */
  forgetShown(): void {
    this.shown = newShown();
  }

  private async change<T>(work: Parameters<typeof this.database.transaction<T>>[0]): Promise<T> {
    const result = await this.database.transaction(work);
    this.forgetShown();
    return result;
  }
}

const newShown = () => new Kept<CollectionAccount | null>(() => SHOWN_MS, SHOWN_MAX);
