import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { alone, type Along } from '../database/along.js';
import type { Payout } from '../database/entities/payout.entity.js';
import type { Owner } from '../database/repositories/order.repository.js';
import type { LockedPayout } from '../database/repositories/payout.repository.js';
import { notPossible, PayoutMover } from './payout-mover.js';

/** Milliseconds for which a second factor is good for an approval. */
export const SECOND_FACTOR_MS = 5 * 60_000;

export interface Approval {
  readonly userId: string;
  /** When the approver last showed a second factor. */
  readonly secondFactorAt: Date | null;
  /** The hash of what the approver saw. */
  readonly contentHash: Buffer;
}

/** The second pair of eyes. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /**
   * Lets the payout go out as the approver saw it.
   * @throws Problem `payout_not_found`, `payout_not_possible`, `payout_changed`,
   *   `second_person_required`, `second_factor_too_old`
   */
  approve(
    owner: Owner,
    id: string,
    approval: Approval,
    along: Along<Payout> = alone,
  ): Promise<Payout> {
    return this.mover.withLocked(owner, id, along, (tx, payout) => {
      this.assertMay(payout, approval);
      return this.mover.move(tx, payout, 'approved', {
        approvedBy: approval.userId,
        approvedAt: this.clock.now(),
        approvedHash: payout.presentHash,
      });
    });
  }

  /** @throws Problem `payout_not_found`, `payout_not_possible` */
  reject(
    owner: Owner,
    id: string,
    statusReason: string,
    along: Along<Payout> = alone,
  ): Promise<Payout> {
    return this.mover.withLocked(owner, id, along, (tx, payout) =>
      this.mover.move(tx, payout, 'rejected', { statusReason }),
    );
  }

  private assertMay(payout: LockedPayout, { userId, secondFactorAt, contentHash }: Approval): void {
    if (payout.requestedBy === userId) throw new Problem('second_person_required');
    const shownAt = secondFactorAt?.getTime() ?? -Infinity;
    if (this.clock.now().getTime() - shownAt > SECOND_FACTOR_MS) {
      throw new Problem('second_factor_too_old');
    }
    // A payout becomes approved again when its file was not sent, but never by an approval.
    if (payout.status !== 'pending_approval') throw notPossible(payout, 'approved');
    const isAsSeen = payout.presentHash.equals(contentHash);
    if (!isAsSeen || !isAsHashed(payout, payout.contentHash)) throw new Problem('payout_changed');
  }
}

/** Whether what would go out now is what was hashed then. */
export const isAsHashed = (payout: LockedPayout, hash: Buffer | null): boolean =>
  hash !== null && payout.presentHash.equals(hash);
