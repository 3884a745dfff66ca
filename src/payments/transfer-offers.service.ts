import { Injectable } from '@nestjs/common';
import { CollectionAccountsService } from '../collection-accounts/collection-accounts.service.js';
import { TtlCache } from '../common/ttl-cache.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { Order } from '../database/orders/order.entity.js';

/** Milliseconds until an operator's setting takes effect. */
const SWITCH_MS = 5_000;
const SWITCHES_MAX = 10_000;

type Payable = Pick<Order, 'merchantId' | 'mode' | 'currency'>;

/** Decides which orders can be paid by bank transfer. */
@Injectable()
export class TransferOffersService {
  private readonly switches = new TtlCache<boolean>(() => SWITCH_MS, SWITCHES_MAX);

  constructor(
    private readonly accounts: CollectionAccountsService,
    private readonly merchants: MerchantRepository,
  ) {}

  /**
   * Account shown to payers of the order, cached for up to 5 seconds; null if it cannot be paid by transfer. Live
   * orders need an operator's permission for their merchant.
   */
  async accountFor({ merchantId, mode, currency }: Payable): Promise<CollectionAccount | null> {
    const account = await this.accounts.shownFor(mode, currency);
    if (!account || mode === 'test') return account;
    return (await this.isAllowed(merchantId)) ? account : null;
  }

  private isAllowed(merchantId: string): Promise<boolean> {
    return this.switches.get(merchantId, async () => {
      const merchant = await this.merchants.find(merchantId);
      return merchant?.takesTransfers ?? false;
    });
  }
}
