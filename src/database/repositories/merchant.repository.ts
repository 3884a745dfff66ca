import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Merchant } from '../entities/merchant.entity.js';
import type { Mode } from '../entities/api-key.entity.js';
import { ProviderAccount } from '../entities/provider-account.entity.js';

@Injectable()
export class MerchantRepository {
  constructor(private readonly dataSource: DataSource) {}

  async insert(tx: EntityManager, merchant: Merchant): Promise<void> {
    await tx.insert(Merchant, merchant);
  }

  async insertAccount(tx: EntityManager, account: ProviderAccount): Promise<void> {
    await tx.insert(ProviderAccount, account);
  }

  find(id: string): Promise<Merchant | null> {
    return this.dataSource.manager.findOneBy(Merchant, { id });
  }

  count(): Promise<number> {
    return this.dataSource.manager.count(Merchant);
  }

  /** The merchant's accounts that payers may use in this mode. */
  listEnabledAccounts(merchantId: string, mode: Mode): Promise<ProviderAccount[]> {
    return this.dataSource.manager.find(ProviderAccount, {
      where: { merchantId, mode, enabled: true },
      order: { provider: 'ASC' },
    });
  }

  findAccount(id: string): Promise<ProviderAccount | null> {
    return this.dataSource.manager.findOneBy(ProviderAccount, { id });
  }
}
