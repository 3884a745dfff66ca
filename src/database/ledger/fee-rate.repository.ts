import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import type { LimitedRepository } from '../limited-repository.js';
import { FeeRate } from './fee-rate.entity.js';

/** Stores merchants' fee rates. */
@Injectable()
export class FeeRateRepository {
  constructor(@InjectRepository(FeeRate) private readonly rates: LimitedRepository<FeeRate>) {}

  list(merchantId: string): Promise<FeeRate[]> {
    const order = { provider: 'ASC', currency: 'ASC' } as const;
    return this.rates.find({ where: { merchantId }, order });
  }

  async save(tx: EntityManager, rate: FeeRate): Promise<void> {
    await tx.upsert(FeeRate, rate, ['merchantId', 'provider', 'currency']);
  }
}
