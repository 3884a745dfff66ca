import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { alone, type Along } from '../database/along.js';
import { Database } from '../database/database.js';
import type { Order } from '../database/entities/order.entity.js';
import { violatedUnique } from '../database/faults.js';
import { OrderRepository, type Owner } from '../database/repositories/order.repository.js';
import { PaymentRepository } from '../database/repositories/payment.repository.js';
import { feeOf } from '../ledger/fee.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { StatusService } from './status.service.js';
import { isFinished } from './transitions.js';

type Money = Pick<Order, 'status' | 'amount' | 'amountReceived' | 'amountRefunded'>;

/** What of the money counts for the order: the rest is still to be sent back. */
export const acceptedOf = ({ amount, amountReceived }: Money): number =>
  Math.min(amount, amountReceived);

/**
 * Money came for an order that had ended without being paid, none of it went back, and all that
 * counts is still there.
 * @param unallocated what is, in the order's currency
 */
export const isAcceptable = (order: Money, unallocated: number): boolean =>
  isFinished(order.status) &&
  order.status !== 'paid' &&
  order.amountReceived > 0 &&
  order.amountRefunded === 0 &&
  unallocated >= acceptedOf(order);

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
  accept(owner: Owner, txid: string, along: Along<Order> = alone): Promise<Order> {
    return this.database
      .transaction(async (tx) => {
        const order = await this.orders.lock(tx, owner.merchantId, txid);
        if (order?.mode !== owner.mode) throw new Problem('order_not_found');
        const unallocated = await this.ledger.unallocated(tx, order, order.currency);
        if (!isAcceptable(order, unallocated)) throw notAcceptable(order);
        const arrived = await this.payments.arrived(tx, order);
        const { id: paymentId, price } = arrived.at(-1)!;
        const amount = acceptedOf(order);
        const fee = feeOf(amount, price);
        await this.ledger.moneyAccepted(tx, order, arrived, { amount, fee });
        const change = { to: 'paid', reason: 'manual', paymentId, fee } as const;
        const paid = await this.status.move(tx, order, change, this.clock.now());
        await along(tx, paid);
        return paid;
      })
      .catch((error: unknown) => {
        if (violatedUnique(error) !== 'orders_order_merchant_id_once') throw error;
        throw new Problem('order_already_exists', {
          detail: 'A newer order has taken the orderMerchantId over.',
        });
      });
  }
}

const notAcceptable = ({ status, txid }: Order): Problem =>
  new Problem('order_not_acceptable', { members: { txid, orderStatus: status } });
