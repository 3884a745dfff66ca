import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { isFresh } from '../common/second-factor.js';
import { violatedCheck } from '../database/faults.js';
import type { Owner, PayoutKey } from '../database/keys.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import type { LockedPayout } from '../database/payouts/payout.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problem.js';
import { notPossible, PayoutMover } from './payout-mover.js';
import { type Bar, barTo } from './second-person.js';

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
    private readonly hands: PayoutHandRepository,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /** What keeps the user from approving the payout, if anything. */
  async barTo(payout: PayoutKey, userId: string): Promise<Bar | null> {
    const ties = await this.hands.ties(payout, userId);
    const single = ties.length > 0 ? await this.hands.singleOperator(payout) : null;
    return barTo(ties, single, this.clock.now());
  }

  /**
   * Lets the payout go out as the approver saw it.
   * @throws Problem `payout_not_found`, `payout_not_possible`, `payout_changed`,
   *   `second_person_required`, `approver_of_merchant`, `second_factor_too_old`,
   *   `bank_account_not_usable`
   */
  async approve(
    owner: Owner,
    id: string,
    approval: Approval,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    try {
      return await this.mover.withLocked(owner, id, hook, async (tx, payout) => {
        await this.assertNoHand(tx, payout, approval);
        this.assertMay(payout, approval);
        return this.mover.move(tx, payout, 'approved', {
          approvedBy: approval.userId,
          approvedAt: this.clock.now(),
          approvedHash: payout.presentHash,
        });
      });
    } catch (error) {
      // Became a member or got a hand in it at this very moment, or this clock is ahead of the database's.
      if (violatedCheck(error) !== 'payouts_second_person') throw error;
      const bar = await this.barTo({ merchantId: owner.merchantId, id }, approval.userId);
      throw bar ? refusedBy(bar) : new Problem('second_person_required');
    }
  }

  /** @throws Problem `payout_not_found`, `payout_not_possible` */
  reject(
    owner: Owner,
    id: string,
    statusReason: string,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    return this.mover.withLocked(owner, id, hook, (tx, payout) =>
      this.mover.move(tx, payout, 'rejected', { statusReason }),
    );
  }

  private async assertNoHand(
    tx: EntityManager,
    payout: Payout,
    { userId }: Approval,
  ): Promise<void> {
    const ties = await this.hands.tiesIn(tx, payout, userId);
    const single = ties.length > 0 ? await this.hands.singleOperatorIn(tx, payout) : null;
    const bar = barTo(ties, single, this.clock.now());
    if (bar) throw refusedBy(bar);
  }

  private assertMay(payout: LockedPayout, { secondFactorAt, contentHash }: Approval): void {
    if (!isFresh(secondFactorAt, this.clock.now())) throw new Problem('second_factor_too_old');
    // A payout becomes approved again when nobody had its file, but never by an approval.
    if (payout.status !== 'pending_approval') throw notPossible(payout, 'approved');
    const isAsSeen = payout.presentHash.equals(contentHash);
    if (!isAsSeen || !isAsHashed(payout, payout.contentHash)) throw new Problem('payout_changed');
  }
}

const refusedBy = ({ code, text }: Bar): Problem => new Problem(code, { detail: text });

/** Whether what would go out now is what was hashed then. */
const isAsHashed = (payout: LockedPayout, hash: Buffer | null): boolean =>
  hash !== null && payout.presentHash.equals(hash);
