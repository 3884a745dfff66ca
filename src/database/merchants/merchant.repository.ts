import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { columnsOf } from '../entity-sql.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Batcher } from '../../overload/batcher.js';
import { gatheredLookup, lookup } from '../lookup.js';
import { Merchant } from './merchant.entity.js';
import type { Mode } from './api-key.entity.js';
import { ProviderAccount } from '../providers/provider-account.entity.js';

/** Limit far above an installation's number of merchants. */
const LIST_MAX = 10_000;

export type MerchantPatch = Partial<
  Pick<
    Merchant,
    'name' | 'colour' | 'logoUrl' | 'contactUrl' | 'timeZone' | 'transferDays' | 'takesTransfers'
  >
>;

export interface MerchantSearch {
  /** Part of the name, case-insensitive; empty = all. */
  readonly name: string;
  /** Cursor: only merchants created before this one. */
  readonly after: string | null;
  readonly limit: number;
}

const SEARCH: Statement = {
  name: 'merchants_search',
  text: `SELECT id, name, time_zone AS "timeZone", created_at AS "createdAt" FROM merchants
    WHERE ($1 = '' OR position(lower($1) IN lower(name)) > 0) AND ($2::uuid IS NULL OR id < $2)
    ORDER BY id DESC LIMIT $3`,
};

const ACCOUNT_BY_ID = lookup(
  'provider_account_by_id',
  { id: 'uuid' },
  ({ id }) =>
    `SELECT ${columnsOf('a', ProviderAccount)} FROM provider_accounts a WHERE a.id = ${id}`,
);

export type FoundMerchant = Pick<Merchant, 'id' | 'name' | 'timeZone' | 'createdAt'>;

@Injectable()
export class MerchantRepository {
  private readonly accountById: Batcher<{ readonly id: string }, ProviderAccount | null>;

  constructor(
    private readonly database: Database,
    @InjectRepository(Merchant) private readonly merchants: LimitedRepository<Merchant>,
    @InjectRepository(ProviderAccount)
    private readonly accounts: LimitedRepository<ProviderAccount>,
  ) {
    this.accountById = gatheredLookup(database, ACCOUNT_BY_ID, 'id');
  }

  /**
   * Locks the table if there is no merchant, so that none is added before the transaction ends.
   * @returns whether there is none
   */
  async lockIfNone(tx: EntityManager): Promise<boolean> {
    await tx.query('LOCK TABLE merchants IN SHARE ROW EXCLUSIVE MODE');
    return !(await tx.exists(Merchant));
  }

  async insert(tx: EntityManager, merchant: Merchant): Promise<void> {
    await tx.insert(Merchant, merchant);
  }

  async insertAccount(tx: EntityManager, account: ProviderAccount): Promise<void> {
    await tx.insert(ProviderAccount, account);
  }

  /** Newest first. */
  search({ name, after, limit }: MerchantSearch): Promise<FoundMerchant[]> {
    return this.database.query(SEARCH, [name, after, limit]);
  }

  async update(tx: EntityManager, id: string, patch: MerchantPatch): Promise<void> {
    await tx.update(Merchant, { id }, patch);
  }

  find(id: string): Promise<Merchant | null> {
    return this.merchants.findOneBy({ id });
  }

  /** Oldest first. */
  list(): Promise<Merchant[]> {
    return this.merchants.find({ order: { id: 'ASC' }, take: LIST_MAX });
  }

  count(): Promise<number> {
    return this.merchants.count();
  }

  /** The merchant's enabled provider accounts in this mode. */
  listEnabledAccounts(merchantId: string, mode: Mode): Promise<ProviderAccount[]> {
    const where = { merchantId, mode, enabled: true };
    return this.accounts.find({ where, order: { provider: 'ASC' } });
  }

  findAccount(id: string): Promise<ProviderAccount | null> {
    return this.accountById.ask({ id });
  }
}
