import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { isUuid, uuidv7 } from '../common/ids.js';
import { Problem } from '../common/problem.js';
import { alone, type Along } from '../database/along.js';
import { Database } from '../database/database.js';
import type { BankAccount } from '../database/entities/bank-account.entity.js';
import { violatedUnique } from '../database/faults.js';
import { BankAccountNoticeRepository } from '../database/repositories/bank-account-notice.repository.js';
import {
  BANK_ACCOUNTS_MAX,
  BankAccountRepository,
} from '../database/repositories/bank-account.repository.js';
import type { Owner } from '../database/repositories/order.repository.js';

/** Milliseconds in which the owners can object to a new account before anything is paid out to it. */
export const WAIT_MS = 24 * 60 * 60_000;

/** Accounts that a merchant adds within 24 hours, as each is a mail to every owner. */
export const ADDED_MAX = 10;

/** Milliseconds for which somebody still hears of it who is no owner any more. */
const LATELY_MS = 7 * WAIT_MS;

/** Whether money may go there: somebody confirmed it, and owners heard of it and then had time to object. */
export const isUsable = (account: BankAccount, now: Date): boolean =>
  account.confirmedAt !== null &&
  account.noticedAt !== null &&
  account.retiredAt === null &&
  account.usableFrom <= now;

/** Where a merchant is paid out to. */
@Injectable()
export class BankAccountsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: BankAccountRepository,
    private readonly notices: BankAccountNoticeRepository,
    private readonly clock: Clock,
  ) {}

  /** Those in use; the newest first. */
  list(owner: Owner): Promise<BankAccount[]> {
    return this.accounts.list(owner);
  }

  /** @throws Problem `bank_account_not_found`, also for one that is not in use any more */
  async find(owner: Owner, id: string): Promise<BankAccount> {
    const account = isUuid(id) ? await this.accounts.find(owner, id) : null;
    if (!account) throw new Problem('bank_account_not_found');
    return account;
  }

  /**
   * The owners, and those of the last seven days, are written to, so that they can object before it can be used.
   * @param iban valid, and without blanks
   * @returns null when the merchant has the account already, or too many
   * @throws Problem `rate_limited` when it added too many within 24 hours, removed or not
   */
  async add(
    { merchantId, mode }: Owner,
    { holder, iban }: Pick<BankAccount, 'holder' | 'iban'>,
    createdBy: string,
    along: Along<BankAccount> = alone,
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
        await this.notices.insert(tx, account, new Date(now.getTime() - LATELY_MS));
        await along(tx, account);
      });
    } catch (error) {
      if (violatedUnique(error) === 'bank_accounts_once') return null;
      throw error;
    }
    return account;
  }

  /** @throws Problem `bank_account_not_found` when there is none that waits for it */
  async confirm(
    owner: Owner,
    id: string,
    confirmedBy: string,
    along: Along<BankAccount> = alone,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const account = isUuid(id) ? await this.accounts.lock(tx, owner, id) : null;
      const now = this.clock.now();
      if (!account || !(await this.accounts.confirm(tx, account, confirmedBy, now))) {
        throw new Problem('bank_account_not_found');
      }
      await along(tx, account);
    });
  }

  /**
   * No payout goes there any more.
   * @throws Problem `bank_account_not_found`; `bank_account_in_use` while payouts to it are under way
   */
  async retire(owner: Owner, id: string, along: Along<BankAccount> = alone): Promise<void> {
    await this.database.transaction(async (tx) => {
      const account = isUuid(id) ? await this.accounts.lock(tx, owner, id) : null;
      if (!account || !(await this.accounts.retire(tx, account, this.clock.now()))) {
        throw new Problem('bank_account_not_found');
      }
      if (await this.accounts.isInUse(tx, account)) throw new Problem('bank_account_in_use');
      await along(tx, account);
    });
  }
}

const tooMany = (): Problem =>
  new Problem('rate_limited', {
    detail: `At most ${ADDED_MAX} accounts can be added within 24 hours. Add this one tomorrow.`,
  });
