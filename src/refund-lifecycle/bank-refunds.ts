import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Order } from '../database/orders/order.entity.js';
import type { Payout, PayoutStatus } from '../database/payouts/payout.entity.js';
import type { RefundStatus } from '../database/refunds/refund.entity.js';
import { RefundRepository } from '../database/refunds/refund.repository.js';
import { type LockedRefund, RefundMover } from './refund-mover.js';

/** What a status of the payout makes of its refund. Every other status leaves it as it is. */
const STEPS: Readonly<
  Partial<Record<PayoutStatus, Partial<Record<RefundStatus, readonly RefundStatus[]>>>>
> = {
  approved: { requested: ['approved'] },
  submitted: { approved: ['submitted'] },
  paid: { submitted: ['succeeded'] },
  failed: { submitted: ['failed'] },
  returned: { submitted: ['failed'], succeeded: ['failed'] },
  // After a file was not sent, a payout that was approved can still be rejected.
  rejected: { requested: ['rejected'], approved: ['cancelled'] },
  cancelled: { requested: ['cancelled'], approved: ['cancelled'] },
};

type SendingPayout = Pick<Payout, 'merchantId' | 'id' | 'refundId' | 'status' | 'statusReason'>;

/** Moves refunds by bank along with the payouts that send them. */
@Injectable()
export class BankRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly mover: RefundMover,
  ) {}

  /**
   * Locks the refunds that the payouts send, with their orders, before the payouts get a status. An approval locks out
   * everybody who takes part in money, and such a person may hold the order. Sorted by order, so that concurrent files do
   * not block each other.
   */
  async lock(
    tx: EntityManager,
    payouts: readonly SendingPayout[],
    to: PayoutStatus,
  ): Promise<LockedRefund[]> {
    const sending = payouts.filter(({ refundId }) => refundId !== null);
    const locked: LockedRefund[] = [];
    if (sending.length === 0 || !STEPS[to]) return locked;
    for (const refund of await this.refunds.ofPayouts(tx, sending))
      locked.push(await this.mover.lock(tx, refund));
    return locked;
  }

  /** Moves locked refunds, once their payouts were changed in the same transaction. */
  async follow(
    tx: EntityManager,
    refunds: readonly LockedRefund[],
    payouts: readonly SendingPayout[],
  ): Promise<void> {
    const byId = new Map(payouts.map((payout) => [payout.id, payout]));
    // Orders as the refunds before changed them.
    const orders = new Map<string, Order>();
    for (const locked of refunds) {
      const order = orders.get(locked.order.txid) ?? locked.order;
      const moved = await this.move(tx, { ...locked, order }, byId.get(locked.refund.id)!);
      orders.set(order.txid, moved.order);
    }
  }

  private async move(
    tx: EntityManager,
    locked: LockedRefund,
    { status, statusReason }: SendingPayout,
  ): Promise<LockedRefund> {
    let state = locked;
    for (const to of STEPS[status]?.[locked.refund.status] ?? [])
      state = await this.mover.move(tx, state, to, statusReason === null ? {} : { statusReason });
    return state;
  }
}
