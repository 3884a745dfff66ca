import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import { FeeRate } from '../entities/fee-rate.entity.js';

/** What merchants pay for their paid orders. */
@Injectable()
export class FeeRateRepository {
  constructor(private readonly database: Database) {}

  list(merchantId: string): Promise<FeeRate[]> {
    return this.database.entities((manager) =>
      manager.find(FeeRate, { where: { merchantId }, order: { provider: 'ASC', currency: 'ASC' } }),
    );
  }

  async save(tx: EntityManager, rate: FeeRate): Promise<void> {
    await tx.upsert(FeeRate, rate, ['merchantId', 'provider', 'currency']);
  }
}
