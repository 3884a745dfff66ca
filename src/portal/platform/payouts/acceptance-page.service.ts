import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../database/entities/merchant.entity.js';
import type { Order } from '../../../database/entities/order.entity.js';
import { LedgerRepository } from '../../../database/repositories/ledger.repository.js';
import { MerchantRepository } from '../../../database/repositories/merchant.repository.js';
import { OrderRepository } from '../../../database/repositories/order.repository.js';
import {
  AcceptanceService,
  isAcceptable,
  shortfallOf,
} from '../../../status/acceptance.service.js';
import { AuditService } from '../../people/audit.service.js';
import { FreshFactor } from '../../people/fresh-factor.js';
import { notFound } from '../../refusal.js';
import type { Problems } from '../../settings/form.js';
import type { SignedVisit } from '../../visit.js';
import type { DeskKey } from './desk-path.js';
import { codeProblem, refused } from './refused.js';

/** An order whose money can be accepted, or could before. */
export interface AcceptancePage {
  readonly order: Order;
  readonly merchant: Merchant;
  readonly isAcceptable: boolean;
  /** What its money lacks, where it does. */
  readonly shortfall: string | undefined;
  /** Whether a code is asked for. */
  readonly owesCode: boolean;
}

/** Late money that an operator takes as an order's payment. */
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
  async open(visit: SignedVisit, { merchantId, mode, id: txid }: DeskKey): Promise<AcceptancePage> {
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
      owesCode: this.factor.isOwed(visit),
    };
  }

  /**
   * @returns what is wrong, or null
   * @throws Refusal 429
   */
  async accept(visit: SignedVisit, key: DeskKey, form: URLSearchParams): Promise<Problems | null> {
    if (!(await this.factor.shown(visit, form))) return { code: codeProblem(form) };
    const problem = await refused(() =>
      this.acceptance.accept(key, key.id, (tx, { txid, mode, amountReceived, currency }) =>
        this.audit.record(tx, visit, {
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
