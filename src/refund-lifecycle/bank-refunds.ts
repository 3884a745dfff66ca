import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
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
   * Moves the refunds of these payouts, which were changed in the same transaction; other payouts are skipped. Locks all
   * orders first, sorted, so that concurrent files do not block each other.
   */
  async follow(tx: EntityManager, payouts: readonly SendingPayout[]): Promise<void> {
    const sending = payouts.filter(({ refundId, status }) => refundId !== null && STEPS[status]);
    if (sending.length === 0) return;
    const byId = new Map(sending.map((payout) => [payout.id, payout]));
    const locked: LockedRefund[] = [];
    for (const refund of await this.refunds.ofPayouts(tx, sending))
      locked.push(await this.mover.lock(tx, refund));
    for (const each of locked) await this.move(tx, each, byId.get(each.refund.id)!);
  }

  private async move(
    tx: EntityManager,
    locked: LockedRefund,
    { status, statusReason }: SendingPayout,
  ): Promise<void> {
    let state = locked;
    for (const to of STEPS[status]?.[locked.refund.status] ?? [])
      state = await this.mover.move(tx, state, to, statusReason === null ? {} : { statusReason });
  }
}
