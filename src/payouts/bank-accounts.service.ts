import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { uuidOf, uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Owner } from '../database/keys.js';
import { BankAccountNoticeRepository } from '../database/payouts/bank-accounts/bank-account-notice.repository.js';
import type { BankAccount } from '../database/payouts/bank-accounts/bank-account.entity.js';
import {
  BANK_ACCOUNTS_MAX,
  BankAccountRepository,
} from '../database/payouts/bank-accounts/bank-account.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';

/** Milliseconds in which the owners can object to a new account before the first payout to it. */
export const WAIT_MS = 24 * 60 * 60_000;

/** Maximum accounts that a merchant adds within 24 hours, since each sends a mail to every owner. */
export const ADDED_MAX = 10;

/** Milliseconds for which former owners still receive notices. */
const RECENTLY_CLOSED_MS = 7 * WAIT_MS;

/** Whether payouts may use the account: it is confirmed, and the owners were notified and had time to object. */
export const isUsableAccount = (account: BankAccount, now: Date): boolean =>
  account.confirmedAt !== null &&
  account.noticedAt !== null &&
  account.retiredAt === null &&
  account.usableFrom <= now;

/** Bank accounts for a merchant's payouts. */
@Injectable()
export class BankAccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: BankAccountRepository,
    private readonly notices: BankAccountNoticeRepository,
    private readonly clock: Clock,
  ) {}

  /** Accounts in use, the newest first. */
  list(owner: Owner): Promise<BankAccount[]> {
    return this.accounts.list(owner);
  }

  /** @throws Problem `bank_account_not_found`, also for an account no longer in use */
  async find(owner: Owner, text: string): Promise<BankAccount> {
    const id = uuidOf(text);
    const account = id && (await this.accounts.find(owner, id));
    if (!account) throw new Problem('bank_account_not_found');
    return account;
  }

  /**
   * Adds an account, and notifies the owners and those of the last seven days, so that they can object before its first
   * use.
   * @param iban valid, and without blanks
   * @returns null if the merchant already has the account, or too many
   * @throws Problem `rate_limited` after too many additions within 24 hours, removed or not
   */
  async add(
    { merchantId, mode }: Owner,
    { holder, iban }: Pick<BankAccount, 'holder' | 'iban'>,
    createdBy: string,
    hook: TransactionHook<BankAccount> = noHook,
  ): Promise<BankAccount | null> {
    const now = this.clock.now();
    const account: BankAccount = {
      merchantId,
      id: uuidv7(now.getTime()),
      mode,
      holder,
      iban,
      createdBy,
      createdAt: now,
      usableFrom: new Date(now.getTime() + WAIT_MS),
      noticedAt: null,
      confirmedBy: null,
      confirmedAt: null,
      retiredAt: null,
    };
    if ((await this.accounts.list({ merchantId, mode })).length >= BANK_ACCOUNTS_MAX) return null;
    try {
      await this.database.transaction(async (tx) => {
        const since = new Date(now.getTime() - WAIT_MS);
        if ((await this.accounts.countAdded(tx, account, since)) >= ADDED_MAX) throw tooMany();
        await this.accounts.insert(tx, account);
        await this.notices.insert(tx, account, new Date(now.getTime() - RECENTLY_CLOSED_MS));
        await hook(tx, account);
      });
    } catch (error) {
      if (violatedUnique(error) === 'bank_accounts_once') return null;
      throw error;
    }
    return account;
  }

  /** @throws Problem `bank_account_not_found` if no such account awaits confirmation */
  async confirm(
    owner: Owner,
    text: string,
    confirmedBy: string,
    hook: TransactionHook<BankAccount> = noHook,
  ): Promise<void> {
    const id = uuidOf(text);
    await this.database.transaction(async (tx) => {
      const account = id && (await this.accounts.lock(tx, owner, id));
      const now = this.clock.now();
      if (!account || !(await this.accounts.confirm(tx, account, confirmedBy, now))) {
        throw new Problem('bank_account_not_found');
      }
      await hook(tx, account);
    });
  }

  /**
   * Stops payouts to the account.
   * @throws Problem `bank_account_not_found`; `bank_account_in_use` while payouts to it are in progress
   */
  async retire(
    owner: Owner,
    text: string,
    hook: TransactionHook<BankAccount> = noHook,
  ): Promise<void> {
    const id = uuidOf(text);
    await this.database.transaction(async (tx) => {
      const account = id && (await this.accounts.lock(tx, owner, id));
      if (!account || !(await this.accounts.retire(tx, account, this.clock.now()))) {
        throw new Problem('bank_account_not_found');
      }
      if (await this.accounts.isInUse(tx, account)) throw new Problem('bank_account_in_use');
      await hook(tx, account);
    });
  }
}

const tooMany = (): Problem =>
  new Problem('rate_limited', {
    detail: `At most ${ADDED_MAX} accounts can be added within 24 hours. Add this one tomorrow.`,
  });
