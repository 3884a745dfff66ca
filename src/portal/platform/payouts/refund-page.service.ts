import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../database/entities/merchant.entity.js';
import type { Order } from '../../../database/entities/order.entity.js';
import {
  LedgerRepository,
  type Unallocated,
} from '../../../database/repositories/ledger.repository.js';
import { MerchantRepository } from '../../../database/repositories/merchant.repository.js';
import { OrderRepository } from '../../../database/repositories/order.repository.js';
import { isRefundable, RefundsService } from '../../../status/refunds.service.js';
import { AuditService } from '../../people/audit.service.js';
import { FreshFactor } from '../../people/fresh-factor.js';
import { notFound } from '../../refusal.js';
import type { Problems } from '../../settings/form.js';
import type { SignedVisit } from '../../visit.js';
import type { DeskKey } from './desk-path.js';
import { refundIn } from './refund.form.js';
import { codeProblem, refused } from './refused.js';

/** An order with money that can be sent back, or could before. */
export interface RefundPage {
  readonly order: Order;
  readonly merchant: Merchant;
  readonly left: readonly Unallocated[];
  /** Whether a code is asked for. */
  readonly owesCode: boolean;
}

/** Unallocated money that an operator has sent back and writes down. */
@Injectable()
export class RefundPageService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly merchants: MerchantRepository,
    private readonly ledger: LedgerRepository,
    private readonly refunds: RefundsService,
    private readonly factor: FreshFactor,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open(visit: SignedVisit, { merchantId, mode, id: txid }: DeskKey): Promise<RefundPage> {
    const [order, merchant, sums] = await Promise.all([
      this.orders.find({ merchantId, mode }, { txid }),
      this.merchants.find(merchantId),
      this.ledger.unallocated({ merchantId, mode, txid }),
    ]);
    if (!order || !merchant) throw notFound();
    const left = sums.filter(({ amount, currency }) => amount > 0 && isRefundable(order, currency));
    return { order, merchant, left, owesCode: this.factor.isOwed(visit) };
  }

  /**
   * @returns what is wrong, or null
   * @throws Refusal 404, 429
   */
  async record(visit: SignedVisit, key: DeskKey, form: URLSearchParams): Promise<Problems | null> {
    const { left } = await this.open(visit, key);
    const wish = refundIn(form, left);
    if (wish.problems) return wish.problems;
    if (!(await this.factor.shown(visit, form))) return { code: codeProblem(form) };
    const { seen: version, ...refund } = wish.done;
    const { merchantId, mode, id } = key;
    const deed = { action: 'order.refunded', subject: id, merchantId, data: { mode, ...refund } };
    const problem = await refused(() =>
      this.refunds.record(key, id, refund, { version }, (tx) => this.audit.record(tx, visit, deed)),
    );
    return problem === null ? null : { form: problem };
  }
}
