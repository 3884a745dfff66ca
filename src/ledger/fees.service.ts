import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { alone, type Along } from '../database/along.js';
import { Database } from '../database/database.js';
import type { FeeRate } from '../database/entities/fee-rate.entity.js';
import { FeeRateRepository } from '../database/repositories/fee-rate.repository.js';

/** What merchants pay for orders that are paid from now on. */
@Injectable()
export class FeesService {
  constructor(
    private readonly database: Database,
    private readonly rates: FeeRateRepository,
    private readonly clock: Clock,
  ) {}

  list(merchantId: string): Promise<FeeRate[]> {
    return this.rates.list(merchantId);
  }

  /** Takes the place of what the merchant paid for that provider and currency before. */
  async set(rate: Omit<FeeRate, 'updatedAt'>, along: Along<FeeRate> = alone): Promise<FeeRate> {
    const saved = { ...rate, updatedAt: this.clock.now() };
    await this.database.transaction(async (tx) => {
      await this.rates.save(tx, saved);
      await along(tx, saved);
    });
    return saved;
  }
}
