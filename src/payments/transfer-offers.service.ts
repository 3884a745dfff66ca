import { Injectable } from '@nestjs/common';
import { CollectionAccountsService } from '../collection-accounts/collection-accounts.service.js';
import { Kept } from '../common/waiting/kept.js';
import type { CollectionAccount } from '../database/bank/collection-account.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import type { Order } from '../database/orders/order.entity.js';

/** An operator's switch is seen within this time, in milliseconds. */
const SWITCH_MS = 5_000;
const SWITCHES_MAX = 10_000;

type Payable = Pick<Order, 'merchantId' | 'mode' | 'currency'>;

/** Which orders can be paid by bank transfer. */
@Injectable()
export class TransferOffersService {
  private readonly switches = new Kept<boolean>(() => SWITCH_MS, SWITCHES_MAX);

  constructor(
    private readonly accounts: CollectionAccountsService,
    private readonly merchants: MerchantRepository,
  ) {}

  /**
   * Where payers of such an order are told to transfer the money to, as of up to 5 seconds ago; null when it cannot
   * be paid so. Live orders can where an operator has allowed it to their merchant.
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
