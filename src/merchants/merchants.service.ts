import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { parseBody } from '../common/validation.js';
import { alone, type Along } from '../database/along.js';
import { Database } from '../database/database.js';
import type { Merchant } from '../database/entities/merchant.entity.js';
import {
  type FoundMerchant,
  type MerchantPatch,
  MerchantRepository,
  type MerchantSearch,
} from '../database/repositories/merchant.repository.js';
import { ChangeMerchantRequest, CreateMerchantRequest } from './merchant.request.js';

export type NewMerchant = Pick<Merchant, 'name'> &
  Partial<Pick<Merchant, 'colour' | 'logoUrl' | 'contactUrl' | 'timeZone'>>;

@Injectable()
export class MerchantsService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantRepository,
    private readonly clock: Clock,
  ) {}

  async create(input: NewMerchant, along: Along<Merchant> = alone): Promise<Merchant> {
    return this.database.transaction(async (tx) => {
      const merchant = await this.insert(tx, input);
      await along(tx, merchant);
      return merchant;
    });
  }

  /** A new merchant can be tried at once: it has an account with the sandbox bank in test mode. */
  async insert(tx: EntityManager, input: NewMerchant): Promise<Merchant> {
    const createdAt = this.clock.now();
    const merchant: Merchant = {
      id: uuidv7(createdAt.getTime()),
      name: input.name,
      colour: input.colour ?? '0b4f9e',
      logoUrl: input.logoUrl ?? null,
      contactUrl: input.contactUrl ?? null,
      timeZone: input.timeZone ?? 'UTC',
      createdAt,
    };
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
    return merchant;
  }

  /** @throws Problem `validation_failed` */
  add(body: unknown, along: Along<Merchant>): Promise<Merchant> {
    return this.create(parseBody(CreateMerchantRequest, body), along);
  }

  /**
   * What the body leaves out stays as it is.
   * @throws Problem `validation_failed`
   */
  async update(id: string, body: unknown, along: Along<MerchantPatch> = alone): Promise<void> {
    const patch = patchOf(parseBody(ChangeMerchantRequest, body));
    await this.database.transaction(async (tx) => {
      await this.merchants.update(tx, id, patch);
      await along(tx, patch);
    });
  }

  /** The newest first. */
  search(wanted: MerchantSearch): Promise<FoundMerchant[]> {
    return this.merchants.search(wanted);
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

/** Empty text takes an address away. */
function patchOf({ name, colour, contactUrl, logoUrl, timeZone }: ChangeMerchantRequest) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(colour === undefined ? {} : { colour: colour.replace('#', '').toLowerCase() }),
    ...(contactUrl === undefined ? {} : { contactUrl: contactUrl || null }),
    ...(logoUrl === undefined ? {} : { logoUrl: logoUrl || null }),
    ...(timeZone === undefined ? {} : { timeZone }),
  } satisfies MerchantPatch;
}
