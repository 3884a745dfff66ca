import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { toMajorUnits } from '../common/money/money.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Owner } from '../database/keys.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import type { PricedPayment } from '../database/payments/payment.rows.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
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

/** Money arrived for an order that ended unpaid, and none of it was refunded. */
const isLate = ({ status, amountReceived, amountRefunded }: Money): boolean =>
  isFinished(status) && status !== 'paid' && amountReceived > 0 && amountRefunded === 0;

/**
 * Amount that the merchant of a paid order lacks because a bank took it back, in minor units. Received money that was
 * not refunded is either the merchant's or unallocated.
 */
const owedOf = (order: Money, unallocated: number): number =>
  isOwedAgain(order)
    ? order.amount - (order.amountReceived - order.amountRefunded - unallocated)
    : 0;

/**
 * Late money is acceptable if it covers the whole order. A paid order with a chargeback accepts any amount.
 * @param unallocated unallocated funds of the order, in its currency
 */
export const isAcceptable = (order: Money, unallocated: number): boolean =>
  (isLate(order) && unallocated >= order.amount) ||
  (unallocated > 0 && owedOf(order, unallocated) > 0);

/**
 * Explains how much late money is missing, and what happens to it.
 * @returns undefined if another reason prevents the acceptance
 */
export function shortfallOf(order: Money, unallocated: number): string | undefined {
  const missing = order.amount - unallocated;
  if (!isLate(order) || unallocated === 0 || missing <= 0) return undefined;
  const amount = (minor: number) => toMajorUnits(minor, order.currency);
  return `${amount(missing)} of ${amount(order.amount)} ${order.currency} are missing. Send back the ${amount(unallocated)} ${order.currency} that came.`;
}

type Arrived = PricedPayment & { readonly left: number };

/** Accepts money of an ended order as its payment, on behalf of a user. */
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
        const arrived = await this.arrived(tx, order);
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

  /** Payments with what is left of each; not those that the bank has taken back. */
  private async arrived(tx: EntityManager, order: Order): Promise<Arrived[]> {
    const payments = await this.payments.arrived(tx, order);
    const left = await this.ledger.left(tx, order);
    return payments
      .map((payment) => ({ ...payment, left: left.get(payment.id) ?? 0 }))
      .filter((payment) => payment.left > 0);
  }

  private async pay(
    tx: EntityManager,
    order: Order,
    arrived: readonly Arrived[],
  ): Promise<OrderChange> {
    const { id: paymentId, price } = arrived.at(-1)!;
    const fee = feeOf(order.amount, price);
    await this.ledger.moneyAccepted(tx, order, arrived, { amount: order.amount, fee });
    const isCovered = order.exception === 'charged_back';
    const exception = isCovered && exceptionOfPaid(order, order.amountReceived, 0);
    return { to: 'paid', reason: 'manual', paymentId, fee, ...(exception && { exception }) };
  }

  /** Money that made up for a chargeback, before that happened automatically. */
  private async makeUp(
    tx: EntityManager,
    order: Order,
    arrived: readonly Arrived[],
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
