import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull } from 'typeorm';
import { endsIban } from '../../../common/money/iban.js';
import type { LimitedRepository } from '../../limited-repository.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { BankLine } from '../lines/bank-line.entity.js';
import { CollectionAccount } from './collection-account.entity.js';

/** Limit far above a platform's number of accounts. */
const LIST_MAX = 1_000;

/** The account on which a line was booked. Without a currency it matches none. */
type LineAccount = Pick<BankLine, 'mode' | 'account' | 'currency'>;

const accountOf = ({ mode, account, currency }: LineAccount) => ({
  mode,
  account,
  currency: currency ?? '',
});

@Injectable()
export class CollectionAccountRepository {
  constructor(
    @InjectRepository(CollectionAccount)
    private readonly accounts: LimitedRepository<CollectionAccount>,
  ) {}

  /** Of one mode or all, by currency; the account shown to payers first. */
  list(mode?: Mode): Promise<CollectionAccount[]> {
    return this.accounts.find({
      where: mode ? { mode } : {},
      order: { mode: 'DESC', currency: 'ASC', position: 'ASC', id: 'ASC' },
      take: LIST_MAX,
    });
  }

  /** The account shown to payers; null when there is none. */
  findShown(mode: Mode, currency: string): Promise<CollectionAccount | null> {
    const where = { mode, currency, disabledAt: IsNull() };
    return this.accounts.findOne({ where, order: { position: 'ASC', id: 'ASC' } });
  }

  /** Whether it is or was a collection account of the mode and currency. */
  isOne(tx: EntityManager, line: LineAccount): Promise<boolean> {
    return tx.existsBy(CollectionAccount, accountOf(line));
  }

  /** The same, outside a transaction. */
  isKnown(line: LineAccount): Promise<boolean> {
    return this.accounts.existsBy(accountOf(line));
  }

  /**
   * Whether it is an active collection account of the currency, or a known one under another form of its number: the
   * bookings of one account under two names would count twice.
   */
  async isInUse(
    tx: EntityManager,
    { mode, currency, account }: Pick<CollectionAccount, 'mode' | 'currency' | 'account'>,
  ): Promise<boolean> {
    const known = await tx.findBy(CollectionAccount, { mode });
    return known.some((each) =>
      each.account === account
        ? each.currency === currency && each.disabledAt === null
        : endsIban(account, each.account) || endsIban(each.account, account),
    );
  }

  find(id: string): Promise<CollectionAccount | null> {
    return this.accounts.findOneBy({ id });
  }

  /** Locks it for a change. */
  lock(tx: EntityManager, id: string): Promise<CollectionAccount | null> {
    return tx.findOne(CollectionAccount, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** @throws a unique violation of `collection_accounts_once` when the account is active already */
  async insert(tx: EntityManager, account: CollectionAccount): Promise<void> {
    await tx.insert(CollectionAccount, account);
  }

  /** The next free positions before and after all accounts of the mode and currency; 0 and 0 for the first. */
  async ends(
    tx: EntityManager,
    { mode, currency }: Pick<CollectionAccount, 'mode' | 'currency'>,
  ): Promise<{ first: number; last: number }> {
    const lowest = await tx.minimum(CollectionAccount, 'position', { mode, currency });
    const highest = await tx.maximum(CollectionAccount, 'position', { mode, currency });
    return lowest === null || highest === null
      ? { first: 0, last: 0 }
      : { first: lowest - 1, last: highest + 1 };
  }

  /** @returns false when it is not in use any more */
  async place(tx: EntityManager, id: string, position: number): Promise<boolean> {
    const where = { id, disabledAt: IsNull() };
    return (await tx.update(CollectionAccount, where, { position })).affected === 1;
  }

  /** @returns false when it is not in use any more */
  async disable(tx: EntityManager, id: string, disabledAt: Date): Promise<boolean> {
    const where = { id, disabledAt: IsNull() };
    return (await tx.update(CollectionAccount, where, { disabledAt })).affected === 1;
  }
}
