import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { isFresh } from '../common/second-factor.js';
import { violatedCheck } from '../database/faults.js';
import type { Owner, PayoutKey } from '../database/keys.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import { PayoutMoneyRepository } from '../database/payouts/payout-money.repository.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import type { LockedPayout } from '../database/payouts/payout.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { Problem } from '../http/problems/problem.js';
import { notPossible, PayoutMover } from './payout-mover.js';
import { type Bar, barOf, barTo } from './second-person.js';

export interface Approval {
  readonly userId: string;
  /** Time of the approver's last two-factor authentication. */
  readonly secondFactorAt: Date | null;
  /** Hash of the content that the approver saw. */
  readonly contentHash: Buffer;
}

/** Database checks of conditions that can change during an approval. */
const LAST_CHECKS: ReadonlySet<unknown> = new Set([
  'payouts_account_usable',
  'payouts_second_person',
  'payouts_still_funded',
]);

/** Approvals of payouts by a second person. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly hands: PayoutHandRepository,
    private readonly money: PayoutMoneyRepository,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /** Reason why the user cannot approve the payout, if any. */
  async barTo(payout: PayoutKey, userId: string): Promise<Bar | null> {
    const ties = await this.hands.ties(payout, userId);
    const single = ties.length > 0 ? await this.hands.singleOperator(payout) : null;
    const bar = barTo(ties, single, this.clock.now());
    if (bar) return bar;
    const wait = await this.money.wait(payout, this.clock.now());
    return wait && barOf(wait);
  }

  /**
   * Approves the payout with the content that the approver saw.
   * @throws Problem `payout_not_found`, `payout_not_possible`, `payout_changed`, `second_person_required`,
   * `approver_of_merchant`, `second_factor_too_old`, `bank_account_not_usable`
   */
  async approve(
    owner: Owner,
    id: string,
    approval: Approval,
    hook: TransactionHook<Payout> = noHook,
  ): Promise<Payout> {
    try {
      return await this.mover.withAnyLocked(owner, id, hook, async (tx, payout) => {
        await this.assertNoHand(tx, payout, approval);
        this.assertMay(payout, approval);
        const wait = await this.money.waitIn(tx, payout, this.clock.now());
        if (wait) throw refusedBy(barOf(wait));
        return this.mover.move(tx, payout, 'approved', {
          approvedBy: approval.userId,
          approvedAt: this.clock.now(),
          approvedHash: payout.presentHash,
        });
      });
    } catch (error) {
      // The user just became a member or took part in the payout, its money was returned, or clocks differ.
      if (!LAST_CHECKS.has(violatedCheck(error))) throw error;
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
    return this.mover.withAnyLocked(owner, id, hook, (tx, payout) =>
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
    // An approved payout can leave a file that was not sent, but never through an approval.
    if (payout.status !== 'pending_approval') throw notPossible(payout, 'approved');
    const isAsSeen = payout.presentHash.equals(contentHash);
    if (!isAsSeen || !isAsHashed(payout, payout.contentHash)) throw new Problem('payout_changed');
  }
}

const refusedBy = ({ code, text }: Bar): Problem => new Problem(code, { detail: text });

/** Whether the current content still has the hash. */
const isAsHashed = (payout: LockedPayout, hash: Buffer | null): boolean =>
  hash !== null && payout.presentHash.equals(hash);
