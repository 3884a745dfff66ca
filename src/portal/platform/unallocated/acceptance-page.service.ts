import { Injectable } from '@nestjs/common';
import { LedgerRepository } from '../../../database/ledger/ledger.repository.js';
import type { Merchant } from '../../../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../../../database/merchants/merchant.repository.js';
import type { Order } from '../../../database/orders/order.entity.js';
import { OrderRepository } from '../../../database/orders/order.repository.js';
import {
  AcceptanceService,
  isAcceptable,
  shortfallOf,
} from '../../../payments/acceptance.service.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { FreshFactor } from '../../../people/second-factor/fresh-factor.js';
import type { Problems } from '../../kit/form.js';
import type { PlatformPayoutKey } from '../payouts/platform-path.js';
import { codeProblem, refused } from '../payouts/refused.js';

/** Data of the acceptance form. */
export interface AcceptancePage {
  readonly order: Order;
  readonly merchant: Merchant;
  readonly isAcceptable: boolean;
  /** Message if the received amount is too low. */
  readonly shortfall: string | undefined;
  /** Whether the form asks for a code. */
  readonly needsCode: boolean;
}

/** Accepts late payments as the payment of an order. */
@Injectable()
export class AcceptancePageService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly merchants: MerchantRepository,
    private readonly ledger: LedgerRepository,
    private readonly acceptance: AcceptanceService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open(
    context: SignedInContext,
    { merchantId, mode, id: txid }: PlatformPayoutKey,
  ): Promise<AcceptancePage> {
    const [order, merchant, sums] = await Promise.all([
      this.orders.find({ merchantId, mode }, { txid }),
      this.merchants.find(merchantId),
      this.ledger.unallocated({ merchantId, mode, txid }),
    ]);
    if (!order || !merchant) throw notFound();
    const unallocated = sums.find(({ currency }) => currency === order.currency)?.amount ?? 0;
    return {
      order,
      merchant,
      isAcceptable: isAcceptable(order, unallocated),
      shortfall: shortfallOf(order, unallocated),
      needsCode: this.factor.isRequired(context),
    };
  }

  /**
   * @returns the problems, or null
   * @throws Refusal 429
   */
  async accept(
    context: SignedInContext,
    key: PlatformPayoutKey,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    if (!(await this.factor.shown(context, form))) return { code: codeProblem(form) };
    const problem = await refused(() =>
      this.acceptance.accept(key, key.id, (tx, { txid, mode, amountReceived, currency }) =>
        this.audit.record(tx, context, {
          action: 'order.money-accepted',
          subject: txid,
          merchantId: key.merchantId,
          data: { mode, amountReceived, currency },
        }),
      ),
    );
    return problem === null ? null : { form: problem };
  }
}
