import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import { Merchant } from '../entities/merchant.entity.js';
import type { Mode } from '../entities/api-key.entity.js';
import { ProviderAccount } from '../entities/provider-account.entity.js';

/** More merchants than one installation has. */
const LIST_MAX = 10_000;

@Injectable()
export class MerchantRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: EntityManager, merchant: Merchant): Promise<void> {
    await tx.insert(Merchant, merchant);
  }

  async insertAccount(tx: EntityManager, account: ProviderAccount): Promise<void> {
    await tx.insert(ProviderAccount, account);
  }

  find(id: string): Promise<Merchant | null> {
    return this.database.entities((manager) => manager.findOneBy(Merchant, { id }));
  }

  /** The oldest first. */
  list(): Promise<Merchant[]> {
    return this.database.entities((manager) =>
      manager.find(Merchant, { order: { id: 'ASC' }, take: LIST_MAX }),
    );
  }

  count(): Promise<number> {
    return this.database.entities((manager) => manager.count(Merchant));
  }

  /** The merchant's accounts that payers may use in this mode. */
  listEnabledAccounts(merchantId: string, mode: Mode): Promise<ProviderAccount[]> {
    return this.database.entities((manager) =>
      manager.find(ProviderAccount, {
        where: { merchantId, mode, enabled: true },
        order: { provider: 'ASC' },
      }),
    );
  }

  findAccount(id: string): Promise<ProviderAccount | null> {
    return this.database.entities((manager) => manager.findOneBy(ProviderAccount, { id }));
  }
}
