import { Injectable } from '@nestjs/common';
import { uuidOf } from '../../common/ids.js';
import type { OrderWithPayment } from '../../database/orders/order.entity.js';
import { OrderRepository } from '../../database/orders/order.repository.js';
import type { Refund } from '../../database/refunds/refund.entity.js';
import type { TransactionHook } from '../../database/transaction-hook.js';
import { amountRefundable } from '../../lifecycle/refundable.js';
import { AuditService } from '../../people/audit.service.js';
import type { MerchantContext } from '../../people/portal-context.js';
import { notFound } from '../../people/refusal.js';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { RefundPayees } from '../../refunds/refund-payees.service.js';
import { RefundReader } from '../../refunds/refund-reader.js';
import { RefundsService } from '../../refunds/refunds.service.js';
import { attempt, type Problems } from '../kit/form.js';
import { refundRequestIn } from './refund.form.js';

/** What an owner or finance member decides about a refund. */
export type RefundDecision = keyof typeof ACTIONS;

/** An order, and what is left to refund of it, in minor units. */
interface RefundableOrder {
  readonly order: OrderWithPayment;
  readonly left: number;
}

/** Requests and decides refunds for the portal. */
@Injectable()
export class RefundPagesService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly refunds: RefundsService,
    private readonly payees: RefundPayees,
    private readonly reader: RefundReader,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditService,
  ) {}

  /** @throws Refusal 404 */
  async open({ access }: MerchantContext, txid: string): Promise<RefundableOrder> {
    const id = uuidOf(txid);
    const order = id && (await this.orders.find(access, { txid: id }));
    if (!order) throw notFound();
    return { order, left: amountRefundable(order, this.providers) };
  }

  /** @returns the problems, or null */
  async request(
    context: MerchantContext,
    { order, left }: RefundableOrder,
    form: URLSearchParams,
  ): Promise<Problems | null> {
    const wish = refundRequestIn(form, left, order.currency);
    if (wish.problems) return wish.problems;
    const { access, session } = context;
    const done = await attempt(() =>
      this.refunds.request(
        access,
        order.txid,
        wish.done,
        session.userId,
        this.audited(context, 'refund.requested'),
      ),
    );
    return done.problems ?? null;
  }

  /**
   * @returns the problems, or null
   * @throws Refusal 404, also for a refund of another order
   */
  async decide(
    context: MerchantContext,
    { txid }: OrderWithPayment,
    id: string,
    decision: RefundDecision,
  ): Promise<Problems | null> {
    const { access, session } = context;
    const refundId = uuidOf(id);
    const known = refundId && (await this.reader.find(access, refundId));
    if (!refundId || !known || known.txid !== txid) throw notFound();
    const hook = this.audited(context, ACTIONS[decision]);
    const done = await attempt(async () => {
      if (decision === 'confirm-account') return this.payees.confirm(known, session.userId, hook);
      if (decision === 'approve')
        return this.refunds.approve(access, refundId, session.userId, hook);
      if (decision === 'reject')
        return this.refunds.reject(access, refundId, 'Rejected in the portal.', hook);
      await this.refunds.cancel(access, refundId, hook);
    });
    return done.problems ?? null;
  }

  private audited(context: MerchantContext, action: string): TransactionHook<Refund> {
    return (tx, { txid, id, amount, currency }) =>
      this.audit.record(tx, context, {
        action,
        subject: txid,
        data: { refundId: id, amount, currency },
      });
  }
}

const ACTIONS = {
  approve: 'refund.approved',
  'confirm-account': 'refund.account-confirmed',
  reject: 'refund.rejected',
  cancel: 'refund.cancelled',
} as const;
