import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { uuidv7 } from '../common/ids.js';
import type { BankAllocation } from '../database/bank/matching/bank-allocation.entity.js';
import { BankAllocationRepository } from '../database/bank/matching/bank-allocation.repository.js';
import type { BankReturn } from '../database/bank/matching/bank-return.entity.js';
import type { OrderKey } from '../database/keys.js';
import type { Order } from '../database/orders/order.entity.js';
import { OrderPastRepository } from '../database/orders/order-past.repository.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import type { Payment } from '../database/payments/payment.entity.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { takenBackOf } from '../ledger/rules.js';
import { BANK_TRANSFER } from '../providers/bank-transfer/bank-transfer.provider.js';
import type { OrderChange } from '../status/order-change.js';
import { StatusService } from '../status/status.service.js';
import { exceptionOfPaid } from './owed-again.js';
import { stay } from './settlement.js';
import { transferNameOf } from './transfers.service.js';
import { type Undone, withoutMatch } from './undo.js';

/** Amount of a payment that a bank line takes back, all or a part. */
export type Returned = Pick<BankReturn, 'lineId' | 'amount' | 'saidBy'>;

/** Result of a return; `too_much` = the payment has less left, or its order after refunds. */
export type TakeBackOutcome = 'taken_back' | 'too_much';

/**
 * Result of undoing a match. `paid_out` = a payout has the money, or is about to; `sent_back` = a part of the order's
 * money was refunded, or is about to be; `partly_returned` = the bank took back a part.
 */
export type TakenBack =
  'taken_back' | 'undone_before' | 'paid_out' | 'sent_back' | 'partly_returned';

const UNDONE_PAYMENT = {
  status: 'failed',
  completesOrder: false,
  errorCode: 'match_undone',
  errorMessage: 'The transfer was not for this order.',
} as const satisfies Partial<Payment>;

/** An order, one of its allocations, and the consequences of undoing the match. */
interface Plan {
  readonly order: Order;
  readonly undone: Undone;
  /**
   * Whether a payout can have the money as that of another payment: the order is no longer paid, so all of its price
   * becomes unallocated, or this money stands in for money that the bank took back later.
   */
  readonly isPrice: boolean;
  /** Whether it reduces the merchant's balance. */
  readonly takesOwn: boolean;
}

/**
 * Takes money of a line back from its order, for a bank return or an undone match. The available balance may fall below
 * 0. Lock order: the caller holds the lock of the line, then orders are locked.
 */
@Injectable()
export class TakeBackService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly past: OrderPastRepository,
    private readonly payments: PaymentRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly status: StatusService,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * Records a bank return of all the money or a part. The order keeps its status; if its price is no longer covered, it
   * is owed again, with the exception `charged_back`.
   */
  async takeBack(
    tx: EntityManager,
    allocation: BankAllocation,
    returned: Returned,
    now: Date,
  ): Promise<TakeBackOutcome> {
    const order = await this.lock(tx, allocation);
    const { amount, lineId } = returned;
    const left = await this.allocations.left(tx, allocation);
    if (amount > left || amount > (await this.ledger.held(tx, order))) return 'too_much';
    await this.allocations.insertReturn(tx, allocation, returned, now);
    if (amount === left) await this.allocations.undo(tx, allocation, lineId, now);
    await this.takeOut(tx, order, allocation, amount);
    const amountReceived = order.amountReceived - amount;
    const exception = await this.exceptionWith(tx, order, amountReceived);
    const change = { exception, amountReceived, chargedBack: amount, isMoreMoney: true } as const;
    await this.status.move(tx, order, stay(order, change), now);
    return 'taken_back';
  }

  /**
   * Whether a return of these amounts may be a refund that is on its way, or that an operator recorded: the bank reports
   * them later, and can book one as a return. Also true of money that was reversed. Locks the orders.
   */
  async mayBeRefund(
    tx: EntityManager,
    parts: readonly { readonly allocation: BankAllocation; readonly left: number }[],
  ): Promise<boolean> {
    for (const all of Map.groupBy(parts, ({ allocation }) => allocation.txid).values()) {
      const order = await this.lock(tx, all[0]!.allocation);
      const amount = all.reduce((sum, { left }) => sum + left, 0);
      const hasRefunds = order.amountRefunded > 0 || order.amountRefundPending > 0;
      if (hasRefunds || amount > (await this.ledger.held(tx, order))) return true;
    }
    return false;
  }

  /** Money of an order that was not sent back, returned or reversed, in minor units. Locks the order. */
  async held(tx: EntityManager, key: OrderKey): Promise<number> {
    return this.ledger.held(tx, await this.lock(tx, key));
  }

  /** Undoes a match. The order is recalculated as if the money had never been matched. */
  async undo(tx: EntityManager, allocation: BankAllocation, now: Date): Promise<TakenBack> {
    const plan = await this.plan(tx, allocation, now);
    const { order, undone } = plan;
    const refused = await this.refuse(tx, allocation, plan);
    if (refused) return refused;
    if (!(await this.allocations.undo(tx, allocation, null, now))) return 'undone_before';
    await this.takeOut(tx, order, allocation, allocation.amount);
    const payment = paymentOf(allocation);
    if (undone.change.to !== 'paid' && order.status === 'paid') {
      const { own } = await this.ledger.share(tx, order);
      await this.ledger.unpaid(tx, order, payment, own);
    }
    await this.payments.change(tx, payment, UNDONE_PAYMENT);
    if (undone.isPart) await this.payments.change(tx, undone.isPart, { completesOrder: false });
    if (undone.completes)
      await this.payments.change(tx, undone.completes, { completesOrder: true });
    const again = undone.awaitsTransfer ? await this.awaitAgain(tx, order, now) : {};
    await this.status.move(tx, order, { ...undone.change, ...again, isMoreMoney: true }, now);
    return 'taken_back';
  }

  private async lock(tx: EntityManager, { merchantId, txid }: OrderKey): Promise<Order> {
    const order = await this.orders.lock(tx, merchantId, txid);
    if (!order) throw new Error('an allocation has no order');
    return order;
  }

  private async plan(tx: EntityManager, allocation: BankAllocation, now: Date): Promise<Plan> {
    const order = await this.lock(tx, allocation);
    const { amount, paymentId } = allocation;
    const apart = await this.ledger.unallocated(tx, order, order.currency);
    const { own, price } = await this.ledger.share(tx, order);
    const takes = takenBackOf(amount, apart).find(({ kind }) => kind === 'charge_back');
    const payments = await this.payments.ofOrder(tx, order);
    const returns = await this.allocations.returnsOf(tx, order);
    const undoing = {
      order,
      others: payments.filter(({ id }) => id !== paymentId),
      returns,
      amountReceived: order.amountReceived - amount,
      owed: Math.max(price - own + (takes?.amount ?? 0), 0),
      past: await this.past.find(tx, order),
    };
    const undone = withoutMatch(undoing, now);
    const ends = order.status === 'paid' && undone.change.to !== 'paid';
    const standsIn = returns.some(({ createdAt }) => createdAt >= allocation.createdAt);
    // Unallocated money of others can cover the amount, although this payment's own money was paid out or refunded.
    const isOwn = amount > (await this.ledger.unallocatedOf(tx, order, paymentId));
    return { order, undone, isPrice: ends || standsIn, takesOwn: ends || isOwn };
  }

  /** Blocks concurrent payout requests. */
  private async refuse(
    tx: EntityManager,
    allocation: BankAllocation,
    { order, isPrice, takesOwn }: Plan,
  ): Promise<TakenBack | null> {
    const left = await this.allocations.left(tx, allocation);
    if (left === 0) return 'undone_before';
    if (left < allocation.amount) return 'partly_returned';
    if (allocation.amount > (await this.ledger.held(tx, order))) return 'sent_back';
    if (!takesOwn) return null;
    if (order.amountRefunded > 0 || order.amountRefundPending > 0) return 'sent_back';
    await this.ledger.hold(tx, order);
    const payment = isPrice ? null : allocation.paymentId;
    return (await this.allocations.isPaidOut(tx, order, payment)) ? 'paid_out' : null;
  }

  private async takeOut(
    tx: EntityManager,
    order: Order,
    allocation: BankAllocation,
    amount: number,
  ): Promise<void> {
    const money = { amount, currency: order.currency };
    await this.ledger.moneyTakenBack(tx, order, paymentOf(allocation), money);
  }

  private async exceptionWith(
    tx: EntityManager,
    order: Order,
    amountReceived: number,
  ): Promise<OrderChange['exception']> {
    if (order.status !== 'paid') return 'charged_back';
    const { own, price } = await this.ledger.share(tx, order);
    return exceptionOfPaid(order, amountReceived, price - own);
  }

  /** The payer has transfer details, and the transfer is outstanding again: inserts a payment that waits for it. */
  private async awaitAgain(
    tx: EntityManager,
    order: Order,
    now: Date,
  ): Promise<Pick<OrderChange, 'paymentId' | 'attempts'>> {
    const transfer = (await this.allocations.formOf(tx, order))!;
    const payments = await this.payments.ofOrder(tx, order);
    const place = payments.filter(({ provider }) => provider === BANK_TRANSFER).length + 1;
    const id = uuidv7(now.getTime());
    await this.payments.insertAwaited(tx, {
      merchantId: order.merchantId,
      id,
      txid: order.txid,
      provider: BANK_TRANSFER,
      method: BANK_TRANSFER,
      amount: order.amount,
      currency: order.currency,
      providerReference: transferNameOf(transfer.reference, place),
      transfer,
      nextPollAt: null,
      createdAt: now,
    });
    return { paymentId: id, attempts: order.attempts + 1 };
  }
}

const paymentOf = ({ merchantId, paymentId }: BankAllocation) => ({
  merchantId,
  id: paymentId,
  provider: BANK_TRANSFER,
});
