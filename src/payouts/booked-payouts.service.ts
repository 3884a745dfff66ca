import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import { PayoutFileRepository } from '../database/payouts/payout-file.repository.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { DEBTOR_WITHIN, debtorIbanIn } from './bank-file/pain001.js';
import { FILE_PAYOUTS_MAX } from './export-picker.js';
import { PayoutMover } from './payout-mover.js';

/** Updates payouts from bank statements, without manual input. */
@Injectable()
export class BookedPayouts {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly files: PayoutFileRepository,
    private readonly hands: PayoutHandRepository,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /** Whether all these files pay from the account. */
  async areOfDebtor(
    tx: EntityManager,
    fileIds: ReadonlySet<string>,
    account: string,
  ): Promise<boolean> {
    const beginnings = await this.files.beginningsOf(tx, [...fileIds], DEBTOR_WITHIN);
    return beginnings.every((xml) => debtorIbanIn(xml) === account);
  }

  /**
   * Records that the bank has paid some payouts of a file. The file counts as submitted, with its other payouts. Paid
   * and returned payouts stay unchanged.
   */
  async left(tx: EntityManager, fileId: string, ids: ReadonlySet<string>): Promise<void> {
    const waiting = await this.submitted(tx, fileId);
    const paid = waiting.filter(({ id }) => ids.has(id));
    if (paid.length > 0) await this.mover.moveAll(tx, paid, 'paid', { paidAt: this.clock.now() });
  }

  /**
   * Records a returned payout, even if its payment was never recorded. A returned payout stays unchanged.
   * @param saidBy users who imported the statement: they cannot approve the next payout of the money
   */
  async cameBack(
    tx: EntityManager,
    payout: Payout,
    statusReason: string,
    saidBy: readonly string[],
  ): Promise<void> {
    if (payout.status === 'returned') return;
    if (saidBy.length > 0) await this.hands.note(tx, payout, 'returned', saidBy);
    const waiting = await this.submitted(tx, payout.fileId!);
    const known = waiting.find(({ id }) => id === payout.id) ?? payout;
    await this.mover.move(tx, known, 'returned', { statusReason });
  }

  /** Marks a file with a bank booking as submitted. @returns its payouts without a later status */
  private async submitted(tx: EntityManager, fileId: string): Promise<Payout[]> {
    const statuses = ['exported', 'submitted'] as const;
    const waiting = await this.payouts.lockOfFile(tx, fileId, statuses, FILE_PAYOUTS_MAX);
    const exported = waiting.filter(({ status }) => status === 'exported');
    const moved =
      exported.length > 0 ? await this.mover.moveAll(tx, exported, 'submitted', {}) : [];
    return [...waiting.filter(({ status }) => status === 'submitted'), ...moved];
  }
}
