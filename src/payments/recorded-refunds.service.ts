import { Injectable } from '@nestjs/common';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import type { Owner } from '../database/keys.js';
import { isFinished, type Order } from '../database/orders/order.entity.js';
import { OrderRepository } from '../database/orders/order.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { LedgerService, type Money } from '../ledger/ledger.service.js';
import { StatusService } from '../status/status.service.js';
import { stay } from './settlement.js';

/** Money sent back to its payer. */
export interface RecordedRefund extends Money {
  /** How it was sent, such as the bank's reference. */
  readonly note: string;
}

/** State that the user saw, so that a repeated form records no second refund. */
export interface Seen {
  /** Version of the order. */
  readonly version?: number;
  /** Amount left to refund afterwards, in minor units of the refund's currency. */
  readonly left?: number;
}

/** Partial payments stay with their order while the rest can still arrive. */
export const isRefundable = (
  { status, currency }: Pick<Order, 'status' | 'currency'>,
  of: string,
): boolean => isFinished(status) || of !== currency;

/** Records refunds of unallocated funds that a user has sent outside the service. */
@Injectable()
export class RecordedRefundsService {
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
    refund: RecordedRefund,
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
