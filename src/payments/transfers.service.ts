import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { deadlineDay, transferDeadline } from '../common/time/bank-days.js';
import { Clock } from '../common/time/clock.js';
import type { CollectionAccount } from '../database/bank/collection-accounts/collection-account.entity.js';
import { TransferReferenceRepository } from '../database/bank/matching/transfer-reference.repository.js';
import { Database } from '../database/database.js';
import type { OrderKey } from '../database/keys.js';
import type { Merchant } from '../database/merchants/merchant.entity.js';
import { MerchantRepository } from '../database/merchants/merchant.repository.js';
import { awaitsTransfer, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import { Problem } from '../http/problems/problem.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import { OrderMetrics } from '../status/order-metrics.js';
import { StatusService } from '../status/status.service.js';
import { assertStartable, newPayment, type Start } from './start.js';
import { TransferOffersService } from './transfer-offers.service.js';

/** Account for a transfer of the payer, and its merchant. */
interface Offer {
  readonly account: CollectionAccount;
  readonly merchant: Merchant;
}

/** Payments that payers make at their own bank, days after choosing transfer. */
@Injectable()
export class TransfersService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly references: TransferReferenceRepository,
    private readonly merchants: MerchantRepository,
    private readonly offers: TransferOffersService,
    private readonly status: StatusService,
    private readonly metrics: OrderMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a transfer of the outstanding amount, which waits until the merchant's last day. Choosing it again returns
   * the same details.
   * @throws Problem `order_not_payable`, `payment_in_progress`, `order_changed`
   */
  async choose(key: OrderKey, start: Start): Promise<Payment> {
    const offer = await this.offerFor(key);
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, key.merchantId, key.txid);
      if (!order) throw new Problem('order_not_found');
      if (awaitsTransfer(order)) return this.waitingFor(tx, order);
      const now = this.clock.now();
      assertStartable(order, start, now);
      return this.open(tx, order, start, offer, now);
    });
  }

  /** Stops waiting because the payer chose another method. A transfer that still arrives is processed normally. */
  async giveUp(tx: EntityManager, { merchantId, paymentId }: Order, now: Date): Promise<void> {
    const ended = { status: 'cancelled', completedAt: now } as const;
    await this.payments.change(tx, { merchantId, id: paymentId! }, ended);
    this.count(tx, ended.status);
  }

  private async offerFor({ merchantId, txid }: OrderKey): Promise<Offer> {
    const order = await this.orders.findAny(merchantId, txid);
    if (!order) throw new Problem('order_not_found');
    const account = await this.offers.accountFor(order);
    const merchant = account && (await this.merchants.find(merchantId));
    if (!merchant) throw notOffered(order);
    return { account, merchant };
  }

  private async waitingFor(tx: EntityManager, order: Order): Promise<Payment> {
    const { merchantId, paymentId } = order;
    return (await this.payments.findIn(tx, { merchantId, id: paymentId! }))!;
  }

  private async open(
    tx: EntityManager,
    order: Order,
    start: Start,
    { account, merchant }: Offer,
    now: Date,
  ): Promise<Payment> {
    const place = await this.placeOf(tx, order);
    // The payer keeps the deadline of the first transfer.
    const expiresAt =
      place === 1
        ? later(order.expiresAt, transferDeadline(now, merchant.transferDays))
        : order.expiresAt;
    const details = { collectionAccountId: account.id, waitsUntil: deadlineDay(expiresAt) };
    const reference = await this.references.issue(tx, order, details, now);
    const payment: Payment = {
      ...newPayment(order, start, null, now),
      providerReference: transferNameOf(reference, place),
      transfer: formOf(account, reference),
    };
    await this.payments.insertAwaited(tx, payment);
    const { id: paymentId } = payment;
    const waits = { to: 'processing', reason: 'awaiting_transfer', paymentId } as const;
    const moved = expiresAt > order.expiresAt ? { expiresAt } : {};
    const change = { ...waits, ...moved, attempts: order.attempts + 1 };
    await this.status.move(tx, order, change, now);
    this.count(tx, 'started');
    return payment;
  }

  /** Number of the transfer, from 1. */
  private async placeOf(tx: EntityManager, order: Order): Promise<number> {
    if (order.attempts === 0) return 1;
    const payments = await this.payments.ofOrder(tx, order);
    return payments.filter(({ provider }) => provider === BANK_TRANSFER).length + 1;
  }

  private count(tx: EntityManager, outcome: string): void {
    const counted = { provider: BANK_TRANSFER, outcome };
    this.database.afterCommit(tx, () => this.metrics.payments.inc(counted));
  }
}

/** Reference of a transfer: the order's reference for the first, with a number appended for later ones. */
export const transferNameOf = (reference: string, place: number): string =>
  place === 1 ? reference : `${reference}-${place}`;

const formOf = (
  { holder, account, bic, bankName }: CollectionAccount,
  reference: string,
): Payment['transfer'] => ({ holder, account, bic, bankName, reference });

const later = (one: Date, other: Date): Date => (one > other ? one : other);

const notOffered = ({ txid, status }: Order): Problem =>
  new Problem('order_not_payable', {
    detail: 'The order cannot be paid by bank transfer.',
    members: { txid, orderStatus: status },
  });
