import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull } from 'typeorm';
import type { GatedRepository } from '../gated-repository.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { BankLine } from './bank-line.entity.js';
import { CollectionAccount } from './collection-account.entity.js';

/** More accounts than one platform has. */
const LIST_MAX = 1_000;

/** Where a line was booked. Without a currency it is nowhere. */
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
    private readonly accounts: GatedRepository<CollectionAccount>,
  ) {}

  /** Of a mode, or all: by currency, the one that payers are shown first. */
  list(mode?: Mode): Promise<CollectionAccount[]> {
    return this.accounts.find({
      where: mode ? { mode } : {},
      order: { mode: 'DESC', currency: 'ASC', position: 'ASC', id: 'ASC' },
      take: LIST_MAX,
    });
  }

  /** The account that payers are told of; null while there is none. */
  findShown(mode: Mode, currency: string): Promise<CollectionAccount | null> {
    const where = { mode, currency, disabledAt: IsNull() };
    return this.accounts.findOne({ where, order: { position: 'ASC', id: 'ASC' } });
  }

  /** Whether payers of the mode and currency are sent to an account, or were. */
  isOne(tx: EntityManager, line: LineAccount): Promise<boolean> {
    return tx.existsBy(CollectionAccount, accountOf(line));
  }

  /** The same, beside all transactions. */
  isKnown(line: LineAccount): Promise<boolean> {
    return this.accounts.existsBy(accountOf(line));
  }

  /** Whether payers of the currency may be sent there. */
  isInUse(
    tx: EntityManager,
    { mode, currency, account }: Pick<CollectionAccount, 'mode' | 'currency' | 'account'>,
  ): Promise<boolean> {
    return tx.existsBy(CollectionAccount, { mode, currency, account, disabledAt: IsNull() });
  }

  find(id: string): Promise<CollectionAccount | null> {
    return this.accounts.findOneBy({ id });
  }

  /** For a change of it: others wait. */
  lock(tx: EntityManager, id: string): Promise<CollectionAccount | null> {
    return tx.findOne(CollectionAccount, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** @throws a unique violation of `collection_accounts_once` for one that is in use */
  async insert(tx: EntityManager, account: CollectionAccount): Promise<void> {
    await tx.insert(CollectionAccount, account);
  }

  /** What was booked on it before it was known, and may be for an order or a payout, is looked at again. */
  async wakeLines(
    tx: EntityManager,
    { mode, account }: Pick<CollectionAccount, 'mode' | 'account'>,
  ): Promise<void> {
    const state = In(['suggested', 'unmatched']);
    const reason = In(['unknown_account', 'payout_elsewhere']);
    const unknown = { mode, account, state, reason };
    await tx.update(BankLine, unknown, { lookedAt: null });
  }

  /** Below the lowest and above the highest position of the mode and currency; 0 and 0 for the first. */
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
