import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { toMajorUnits } from '../common/money.js';
import { Database } from '../database/database.js';
import { violatedUnique } from '../database/faults.js';
import type { Owner } from '../database/keys.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { PaymentRepository } from '../database/payments/payment.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problem.js';
import { feeOf } from '../ledger/fee.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { StatusService } from '../status/status.service.js';

type Money = Pick<Order, 'status' | 'amount' | 'currency' | 'amountReceived' | 'amountRefunded'>;

/** Money came for an order that had ended without being paid, and none of it went back. */
const isLate = ({ status, amountReceived, amountRefunded }: Money): boolean =>
  isFinished(status) && status !== 'paid' && amountReceived > 0 && amountRefunded === 0;

/**
 * Late money pays an order when it covers all that the order asks for.
 * @param unallocated what is still there, in the order's currency
 */
export const isAcceptable = (order: Money, unallocated: number): boolean =>
  isLate(order) && unallocated >= order.amount;

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
        const { id: paymentId, price } = arrived.at(-1)!;
        const fee = feeOf(order.amount, price);
        await this.ledger.moneyAccepted(tx, order, arrived, fee);
        const change = { to: 'paid', reason: 'manual', paymentId, fee } as const;
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
}

function notAcceptable(order: Order, unallocated: number): Problem {
  const detail = shortfallOf(order, unallocated);
  const members = { txid: order.txid, orderStatus: order.status };
  return new Problem('order_not_acceptable', {
    ...(detail === undefined ? {} : { detail }),
    members,
  });
}
