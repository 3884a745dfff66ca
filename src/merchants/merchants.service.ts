import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import { type Merchant, TRANSFER_DAYS } from '../database/merchants/merchant.entity.js';
import {
  type FoundMerchant,
  type MerchantPatch,
  MerchantRepository,
  type MerchantSearch,
} from '../database/merchants/merchant.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import type { ChangeMerchantRequest } from './dto/merchant.request.js';

export type NewMerchant = Pick<Merchant, 'name'> &
  Partial<Pick<Merchant, 'colour' | 'logoUrl' | 'contactUrl' | 'timeZone'>>;

/** Bank transfer settings, and the portal user who allowed live transfers. */
export type TransferTerms = Partial<
  Pick<Merchant, 'transferDays' | 'takesTransfers' | 'transfersAllowedBy'>
>;

@Injectable()
export class MerchantsService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantRepository,
    private readonly clock: Clock,
  ) {}

  async create(input: NewMerchant, hook: TransactionHook<Merchant> = noHook): Promise<Merchant> {
    return this.database.transaction(async (tx) => {
      const merchant = await this.insert(tx, input);
      await hook(tx, merchant);
      return merchant;
    });
  }

  /** A new merchant gets an account with the sandbox bank in test mode. */
  async insert(tx: EntityManager, input: NewMerchant): Promise<Merchant> {
    const createdAt = this.clock.now();
    const merchant: Merchant = {
      id: uuidv7(createdAt.getTime()),
      name: input.name,
      colour: input.colour ?? '0b4f9e',
      logoUrl: input.logoUrl ?? null,
      contactUrl: input.contactUrl ?? null,
      timeZone: input.timeZone ?? 'UTC',
      transferDays: TRANSFER_DAYS,
      transfersAllowedBy: null,
      takesTransfers: false,
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

  /** Absent fields stay unchanged. */
  async update(
    id: string,
    request: ChangeMerchantRequest,
    hook: TransactionHook<MerchantPatch> = noHook,
  ): Promise<void> {
    const patch = patchOf(request);
    await this.database.transaction(async (tx) => {
      await this.merchants.update(tx, id, patch);
      await hook(tx, patch);
    });
  }

  /**
   * Bank transfer settings: days to pay, and whether live orders can be paid by transfer. Payers who have already
   * chosen transfer keep their terms.
   */
  setTransfers(
    id: string,
    terms: TransferTerms,
    hook: TransactionHook<MerchantPatch> = noHook,
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.merchants.update(tx, id, terms);
      await hook(tx, terms);
    });
  }

  /** Newest first. */
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

/** Empty text removes an address. */
function patchOf(request: ChangeMerchantRequest) {
  const { name, colour, contactUrl, logoUrl, timeZone, transferDays } = request;
  return {
    ...(name === undefined ? {} : { name }),
    ...(colour === undefined ? {} : { colour: colour.replace('#', '').toLowerCase() }),
    ...(contactUrl === undefined ? {} : { contactUrl: contactUrl || null }),
    ...(logoUrl === undefined ? {} : { logoUrl: logoUrl || null }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(transferDays ? { transferDays: Number(transferDays) } : {}),
  } satisfies MerchantPatch;
}
