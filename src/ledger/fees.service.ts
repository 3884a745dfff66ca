import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import type { FeeRate } from '../database/ledger/fee-rate.entity.js';
import { FeeRateRepository } from '../database/ledger/fee-rate.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';

/** Fees per merchant, provider and currency for future payments. */
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

  /** Replaces the previous fee. */
  async set(
    rate: Omit<FeeRate, 'updatedAt'>,
    hook: TransactionHook<FeeRate> = noHook,
  ): Promise<FeeRate> {
    const saved = { ...rate, updatedAt: this.clock.now() };
    await this.database.transaction(async (tx) => {
      await this.rates.save(tx, saved);
      await hook(tx, saved);
    });
    return saved;
  }
}
