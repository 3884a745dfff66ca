import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import type { LimitedRepository } from '../../limited-repository.js';
import { lockMerchant } from '../../lock-merchant.js';
import type { Owner } from '../../keys.js';
import { BankAccount } from './bank-account.entity.js';
import { Payout } from '../payout.entity.js';

/** Maximum active accounts per merchant and mode. */
export const BANK_ACCOUNTS_MAX = 20;

@Injectable()
export class BankAccountRepository {
  constructor(
    @InjectRepository(BankAccount) private readonly accounts: LimitedRepository<BankAccount>,
  ) {}

  /** Active accounts, newest first. */
  list({ merchantId, mode }: Owner): Promise<BankAccount[]> {
    return this.accounts.find({
      where: { merchantId, mode, retiredAt: IsNull() },
      order: { id: 'DESC' },
      take: BANK_ACCOUNTS_MAX,
    });
  }

  /** @returns null also for a retired account */
  find({ merchantId, mode }: Owner, id: string): Promise<BankAccount | null> {
    return this.accounts.findOneBy({ merchantId, mode, id, retiredAt: IsNull() });
  }

  /** Reads the account with a shared lock, so that it is not retired before the transaction ends. */
  hold(tx: EntityManager, { merchantId, mode }: Owner, id: string): Promise<BankAccount | null> {
    const where = { merchantId, mode, id };
    return tx.findOne(BankAccount, { where, lock: { mode: 'pessimistic_read' } });
  }

  /** Locks the account for a change; payouts to it and other changes wait. */
  lock(tx: EntityManager, { merchantId, mode }: Owner, id: string): Promise<BankAccount | null> {
    const where = { merchantId, mode, id };
    return tx.findOne(BankAccount, { where, lock: { mode: 'pessimistic_write' } });
  }

  /** Whether the account has active payouts. */
  async isInUse(
    tx: EntityManager,
    { merchantId, id }: Pick<BankAccount, 'merchantId' | 'id'>,
  ): Promise<boolean> {
    const status = In(['pending_approval', 'approved', 'exported', 'submitted']);
    return tx.existsBy(Payout, { merchantId, bankAccountId: id, status });
  }

  /**
   * Counts accounts added since then, including retired ones. Locks the merchant, so that none is added before the
   * transaction ends.
   */
  async countAdded(tx: EntityManager, { merchantId, mode }: Owner, since: Date): Promise<number> {
    await lockMerchant(tx, merchantId);
    return tx.countBy(BankAccount, { merchantId, mode, createdAt: MoreThan(since) });
  }

  /** @throws a unique violation of `bank_accounts_once` when an active account has the IBAN */
  async insert(tx: EntityManager, account: BankAccount): Promise<void> {
    await tx.insert(BankAccount, account);
  }

  async confirm(
    tx: EntityManager,
    { merchantId, id }: Pick<BankAccount, 'merchantId' | 'id'>,
    confirmedBy: string,
    confirmedAt: Date,
  ): Promise<boolean> {
    const where = { merchantId, id, confirmedAt: IsNull(), retiredAt: IsNull() };
    return (await tx.update(BankAccount, where, { confirmedBy, confirmedAt })).affected === 1;
  }

  async retire(
    tx: EntityManager,
    { merchantId, id }: Pick<BankAccount, 'merchantId' | 'id'>,
    retiredAt: Date,
  ): Promise<boolean> {
    const where = { merchantId, id, retiredAt: IsNull() };
    return (await tx.update(BankAccount, where, { retiredAt })).affected === 1;
  }
}
