import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import type { Order } from '../database/orders/order.entity.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { RefundMethod } from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { RefundPayeeRepository } from '../database/refunds/refund-payee.repository.js';
import { Problem } from '../http/problems/problem.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { amountRefundable } from '../lifecycle/refundable.js';
import { ProviderRegistry } from '../providers/provider-registry.js';
import type { CreateRefundRequest } from './dto/create-refund.request.js';

/** Providers make no refunds of older payments. */
const PAYMENT_AGE_MAX_MS = 365 * 86_400_000;

/** Maximum refunds of an order, also failed ones; the database refuses more, too. */
export const ORDER_REFUNDS_MAX = 100;

/** A payment and what is left of its money, in minor units. */
interface Source extends Pick<Taken, 'payment' | 'method' | 'asksPayer'> {
  readonly left: number;
  /** Part of the order's unallocated funds that can only be this payment's. */
  readonly unallocated: number;
}

/** The payment whose money a refund returns; amounts in minor units. */
interface Taken {
  readonly payment: Payment;
  readonly method: RefundMethod;
  readonly amount: number;
  /** Part that comes from the order's unallocated funds. */
  readonly fromUnallocated: number;
  /** Whether the payer has to enter an account. */
  readonly asksPayer: boolean;
}

/** Decides which money a refund takes. The caller holds the order's lock. */
@Injectable()
export class RefundSources {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly refunds: RefundRepository,
    private readonly payees: RefundPayeeRepository,
    private readonly ledger: LedgerService,
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the merchant's balance until the transaction ends.
   * @throws Problem `refundable_changed`, `order_not_refundable`, `refund_too_large`, `insufficient_balance`
   */
  async take(tx: EntityManager, order: Order, request: CreateRefundRequest): Promise<Taken> {
    const payments = await this.payments.ofOrder(tx, order);
    const left = amountRefundable({ ...order, payments }, this.providers);
    if (request.amountRefundable !== undefined && request.amountRefundable !== left)
      throw new Problem('refundable_changed', {
        members: { amountRefundable: left, currency: order.currency },
      });
    const totals = await this.refunds.totals(tx, order);
    if (totals.refunds >= ORDER_REFUNDS_MAX) throw tooMany(order);
    const share = (await this.ledger.share(tx, order)).own - totals.own;
    const sources = await this.list(tx, order, payments, { left, share });
    if (sources.length === 0) throw notRefundable(order);
    const amount = request.amount ?? sources[0]!.left;
    const source = sources.find((each) => each.left >= amount);
    if (!source) throw tooLarge(order, left, sources);
    const { payment, method, asksPayer, unallocated } = source;
    // The cancellation of a refund in progress would leave the merchant money of another payer.
    if (amount - share > unallocated && order.amountRefundPending > 0)
      throw inProgress(order, share + unallocated);
    // Money of other payments may belong to other payers: only what the merchant's share of the price lacks.
    const fromUnallocated = asksPayer ? 0 : Math.min(amount, Math.max(unallocated, amount - share));
    const own = amount - fromUnallocated;
    if (own > 0) await this.ledger.available(tx, order, own);
    return { payment, method, amount, fromUnallocated, asksPayer };
  }

  private isNamed(tx: EntityManager, { merchantId, id }: Payment): Promise<boolean> {
    return this.payees.isNamed(tx, { merchantId, paymentId: id });
  }

  /**
   * Payments with money left, the newest first.
   * @param limits what is left of the order, and of the merchant's share
   */
  private async list(
    tx: EntityManager,
    order: Order,
    payments: readonly Payment[],
    { left, share }: { readonly left: number; readonly share: number },
  ): Promise<Source[]> {
    // Less if an operator reversed transfers of the order.
    const most = Math.min(left, await this.ledger.held(tx, order));
    const givenBack = await this.refunds.givenBack(tx, order);
    const sources: Source[] = [];
    for (const payment of payments.filter((each) => this.isRefundable(each, order))) {
      const whole = Math.min(payment.amountReceived! - (givenBack.get(payment.id) ?? 0), most);
      if (whole <= 0) continue;
      const method = this.providers.refundMethodOf(payment)!;
      const unallocated = await this.ledger.unallocatedOf(tx, order, payment.id);
      const asksPayer = method === 'bank' && !(await this.isNamed(tx, payment));
      // A payer whom the bank did not name may be somebody else: gets what is the merchant's only.
      const own = asksPayer ? Math.min(share, whole - unallocated) : whole;
      if (own > 0) sources.push({ payment, method, asksPayer, unallocated, left: own });
    }
    return sources.toReversed();
  }

  private isRefundable(payment: Payment, { currency }: Order): boolean {
    const { status, receivedCurrency, createdAt } = payment;
    const method = this.providers.refundMethodOf(payment);
    const age = this.clock.now().getTime() - createdAt.getTime();
    return (
      method !== null &&
      status === 'succeeded' &&
      receivedCurrency === currency &&
      (method === 'bank' || age <= PAYMENT_AGE_MAX_MS)
    );
  }
}

const notRefundable = ({ txid, status }: Order): Problem =>
  new Problem('order_not_refundable', { members: { txid, orderStatus: status } });

const inProgress = ({ currency }: Order, left: number): Problem =>
  new Problem('refund_too_large', {
    detail:
      'Other refunds of the order are in progress, and this one would take money beyond the amount of the order. Ask for less, or again when they have ended.',
    members: { amountRefundable: Math.max(0, left), currency },
  });

const tooMany = ({ txid, status }: Order): Problem =>
  new Problem('order_not_refundable', {
    detail: `The order has ${ORDER_REFUNDS_MAX} refunds, and can have no more.`,
    members: { txid, orderStatus: status },
  });

function tooLarge({ currency }: Order, left: number, sources: readonly Source[]): Problem {
  const members = { amountRefundable: left, currency };
  const most = Math.max(...sources.map((each) => each.left));
  if (most === left) return new Problem('refund_too_large', { members });
  const detail = `One refund returns the money of one payment, of which at most ${most} are left here.`;
  return new Problem('refund_too_large', { detail, members });
}
