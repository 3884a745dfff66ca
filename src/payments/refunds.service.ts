import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../database/database.js';
import type { Owner } from '../database/keys.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problem.js';
import { LedgerService, type Money } from '../ledger/ledger.service.js';
import { StatusService } from '../status/status.service.js';
import { stay } from './settlement.js';

/** Money that went back to whoever paid it. */
export interface Refund extends Money {
  /** How, such as the bank's reference. */
  readonly note: string;
}

/** What the person saw, so that what was sent back once is not written down twice. */
export interface Seen {
  /** Of the order. */
  readonly version?: number;
  /** What is left to be sent back afterwards, in minor units of the refund's currency. */
  readonly left?: number;
}

/** Parts of the price belong to an order for as long as the rest of it can come. */
export const isRefundable = (
  { status, currency }: Pick<Order, 'status' | 'currency'>,
  of: string,
): boolean => isFinished(status) || of !== currency;

/** Writes down unallocated money that a person has sent back outside the service. */
@Injectable()
export class RefundsService {
  constructor(
    private readonly database: Database,
    private readonly orders: OrderRepository,
    private readonly ledger: LedgerService,
    private readonly status: StatusService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `order_not_found`, `order_not_refundable` */
  record(
    owner: Owner,
    txid: string,
    refund: Refund,
    seen: Seen,
    hook: TransactionHook<Order> = noHook,
  ): Promise<Order> {
    return this.database.transaction(async (tx) => {
      const order = await this.orders.lock(tx, owner.merchantId, txid);
      if (order?.mode !== owner.mode) throw new Problem('order_not_found');
      const left = await this.ledger.unallocated(tx, order, refund.currency);
      if (!isAsSeen(seen, order, left - refund.amount)) throw notRefundable(order, CHANGED);
      if (!isRefundable(order, refund.currency) || refund.amount > left) throw notRefundable(order);
      await this.ledger.moneySentBack(tx, order, refund);
      const { amount, currency } = refund;
      const change = stay(order, { refund: { amount, currency } });
      const changed = await this.status.move(tx, order, change, this.clock.now());
      await hook(tx, changed);
      return changed;
    });
  }
}

const isAsSeen = ({ version, left }: Seen, order: Order, leaves: number): boolean =>
  (version ?? order.version) === order.version && (left ?? leaves) === leaves;

const CHANGED = 'The order is not as it was when you looked: see what is left of its money now.';

const notRefundable = ({ status, txid }: Order, detail?: string): Problem =>
  new Problem('order_not_refundable', {
    ...(detail === undefined ? {} : { detail }),
    members: { txid, orderStatus: status },
  });
