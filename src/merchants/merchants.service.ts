import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { Merchant } from '../database/entities/merchant.entity.js';
import { MerchantRepository } from '../database/repositories/merchant.repository.js';

export type NewMerchant = Pick<Merchant, 'name'> &
  Partial<Pick<Merchant, 'colour' | 'logoUrl' | 'contactUrl'>>;

@Injectable()
export class MerchantsService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantRepository,
    private readonly clock: Clock,
  ) {}

  /** A new merchant can be tried at once: it has an account with the sandbox bank in test mode. */
  async create(input: NewMerchant): Promise<Merchant> {
    const createdAt = this.clock.now();
    const merchant: Merchant = {
      id: uuidv7(createdAt.getTime()),
      name: input.name,
      colour: input.colour ?? '0b4f9e',
      logoUrl: input.logoUrl ?? null,
      contactUrl: input.contactUrl ?? null,
      createdAt,
    };
    await this.database.transaction(async (tx) => {
      await this.merchants.insert(tx, merchant);
      await this.merchants.insertAccount(tx, {
        merchantId: merchant.id,
        mode: 'test',
        provider: 'sandbox',
        id: uuidv7(createdAt.getTime()),
        callbackSecret: randomBytes(32).toString('base64url'),
        enabled: true,
        createdAt,
      });
    });
    return merchant;
  }

  find(id: string): Promise<Merchant | null> {
    return this.merchants.find(id);
  }

  /** All merchants, the oldest first. */
  list(): Promise<Merchant[]> {
    return this.merchants.list();
  }

  count(): Promise<number> {
    return this.merchants.count();
  }
}
