import { Injectable } from '@nestjs/common';
import { LedgerRepository, type Unallocated } from '../../../database/ledger/ledger.repository.js';
import type { Merchant } from '../../../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../../../database/merchants/merchant.repository.js';
import type { Order } from '../../../database/orders/order.entity.js';
import { OrderRepository } from '../../../database/orders/order.repository.js';
import {
  isRefundable,
  RecordedRefundsService,
} from '../../../payments/recorded-refunds.service.js';
import { AuditService } from '../../../people/audit.service.js';
import type { SignedInContext } from '../../../people/portal-context.js';
import { notFound } from '../../../people/refusal.js';
import { FreshFactor } from '../../../people/second-factor/fresh-factor.js';
import type { Problems } from '../../kit/form.js';
import type { PlatformPayoutKey } from '../payouts/platform-path.js';
import { codeProblem, refused } from '../payouts/refused.js';
import { refundIn } from './refund.form.js';

/** Data of the refund form. */
export interface RefundPage {
  readonly order: Order;
  readonly merchant: Merchant;
  readonly left: readonly Unallocated[];
  /** Whether the form asks for a code. */
  readonly needsCode: boolean;
}

/** Records refunds of unallocated funds that an operator has already sent. */
@Injectable()
export class RefundPageService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly merchants: MerchantRepository,
    private readonly ledger: LedgerRepository,
    private readonly refunds: RecordedRefundsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open(
    context: SignedInContext,
    { merchantId, mode, id: txid }: PlatformPayoutKey,
  ): Promise<RefundPage> {
    const [order, merchant, sums] = await Promise.all([
      this.orders.find({ merchantId, mode }, { txid }),
      this.merchants.find(merchantId),
      this.ledger.unallocated({ merchantId, mode, txid }),
    ]);
    if (!order || !merchant) throw notFound();
    const left = sums.filter(({ amount, currency }) => amount > 0 && isRefundable(order, currency));
    return { order, merchant, left, needsCode: this.factor.isRequired(context) };
  }

  /**
   * @returns the problems, or null
   * @throws Refusal 404, 429
   */
  async record(
    context: SignedInContext,
    key: PlatformPayoutKey,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const { left } = await this.open(context, key);
    const wish = refundIn(form, left);
    if (wish.problems) return wish.problems;
    if (!(await this.factor.shown(context, form))) return { code: codeProblem(form) };
    const { seen: version, ...refund } = wish.done;
    const { merchantId, mode, id } = key;
    const entry = { action: 'order.refunded', subject: id, merchantId, data: { mode, ...refund } };
    const problem = await refused(() =>
      this.refunds.record(key, id, refund, { version }, (tx) =>
        this.audit.record(tx, context, entry),
      ),
    );
    return problem === null ? null : { form: problem };
  }
}
