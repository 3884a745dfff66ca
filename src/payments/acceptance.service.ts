import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { toMajorUnits } from '../common/money.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Owner } from '../database/keys.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problem.js';
import { feeOf } from '../ledger/fee.js';
import { LedgerService } from '../ledger/ledger.service.js';
import type { OrderChange } from '../status/order-change.js';
import { StatusService } from '../status/status.service.js';
import { exceptionOfPaid, isOwedAgain } from './owed-again.js';
import { stay } from './settlement.js';

type Money = Pick<
  Order,
  'status' | 'exception' | 'amount' | 'currency' | 'amountReceived' | 'amountRefunded'
>;

/** Money came for an order that had ended without being paid, and none of it went back. */
const isLate = ({ status, amountReceived, amountRefunded }: Money): boolean =>
  isFinished(status) && status !== 'paid' && amountReceived > 0 && amountRefunded === 0;

/**
 * What the merchant of a paid order lacks of its price, because a bank took it back, in minor units. What came and was
 * not sent back is the merchant's, or not allocated.
 */
const owedOf = (order: Money, unallocated: number): number =>
  isOwedAgain(order)
    ? order.amount - (order.amountReceived - order.amountRefunded - unallocated)
    : 0;

/**
 * Late money pays an order when it covers all that the order asks for; a paid one of which money was taken back takes
 * any.
 * @param unallocated what is still there, in the order's currency
 */
export const isAcceptable = (order: Money, unallocated: number): boolean =>
  (isLate(order) && unallocated >= order.amount) ||
  (unallocated > 0 && owedOf(order, unallocated) > 0);

/**
 * What late money lacks, and what is done with it.
 * @returns undefined where that is not why it cannot be accepted
 */
export function shortfallOf(order: Money, unallocated: number): string | undefined {
  const missing = order.amount - unallocated;
  if (!isLate(order) || unallocated === 0 || missing <= 0) return undefined;
  const amount = (minor: number) => toMajorUnits(minor, order.currency);
  return `${amount(missing)} of ${amount(order.amount)} ${order.currency} are missing. Send back the ${amount(unallocated)} ${order.currency} that came.`;
}

/** Takes money that an ended order has received as its payment, because a person says so. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly payments: PaymentRepository,
    private readonly ledger: LedgerService,
    private readonly status: StatusService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `order_not_found`, `order_not_acceptable`, `order_already_exists` */
  accept(owner: Owner, txid: string, hook: TransactionHook<Order> = noHook): Promise<Order> {
    return this.database
      .transaction(async (tx) => {
        const order = await this.orders.lock(tx, owner.merchantId, txid);
        if (order?.mode !== owner.mode) throw new Problem('order_not_found');
        const unallocated = await this.ledger.unallocated(tx, order, order.currency);
        if (!isAcceptable(order, unallocated)) throw notAcceptable(order, unallocated);
        const arrived = await this.payments.arrived(tx, order);
        const change = isOwedAgain(order)
          ? await this.makeUp(tx, order, arrived, unallocated)
          : await this.pay(tx, order, arrived);
        const paid = await this.status.move(tx, order, change, this.clock.now());
        await hook(tx, paid);
        return paid;
      })
      .catch((error: unknown) => {
        if (violatedUnique(error) !== 'orders_order_merchant_id_once') throw error;
        throw new Problem('order_already_exists', {
          detail: 'A newer order has taken the orderMerchantId over.',
        });
      });
  }

  private async pay(
    tx: EntityManager,
    order: Order,
    arrived: readonly PricedPayment[],
  ): Promise<OrderChange> {
    const { id: paymentId, price } = arrived.at(-1)!;
    const fee = feeOf(order.amount, price);
    await this.ledger.moneyAccepted(tx, order, arrived, { amount: order.amount, fee });
    return { to: 'paid', reason: 'manual', paymentId, fee };
  }

  /** What was taken back of a paid order was paid again, before that counted by itself. */
  private async makeUp(
    tx: EntityManager,
    order: Order,
    arrived: readonly PricedPayment[],
    unallocated: number,
  ): Promise<OrderChange> {
    const owed = owedOf(order, unallocated);
    const amount = Math.min(owed, unallocated);
    await this.ledger.moneyAccepted(tx, order, arrived, { amount, fee: 0 });
    const exception = exceptionOfPaid(order, order.amountReceived, owed - amount);
    return stay(order, { exception, isMoreMoney: true });
  }
}

function notAcceptable(order: Order, unallocated: number): Problem {
  const detail = shortfallOf(order, unallocated);
  const members = { txid: order.txid, orderStatus: order.status };
  return new Problem('order_not_acceptable', {
    ...(detail === undefined ? {} : { detail }),
    members,
  });
}
