import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { PayoutHandRepository } from '../database/payouts/payout-hand.repository.js';
import { PayoutFileRepository } from '../database/payouts/payout-file.repository.js';
import { PayoutRepository } from '../database/payouts/payout.repository.js';
import { DEBTOR_WITHIN, debtorIbanIn } from './bank-file/pain001.js';
import { FILE_PAYOUTS_MAX } from './export-picker.js';
import { PayoutMover } from './payout-mover.js';

/** What the bank's statements tell of payouts: nobody has to say it by hand. */
@Injectable()
export class BookedPayouts {
  constructor(
    private readonly payouts: PayoutRepository,
    private readonly files: PayoutFileRepository,
    private readonly hands: PayoutHandRepository,
    private readonly mover: PayoutMover,
    private readonly clock: Clock,
  ) {}

  /** Whether all these files asked the bank to pay from an account. */
  async areOfDebtor(
    tx: EntityManager,
    fileIds: ReadonlySet<string>,
    account: string,
  ): Promise<boolean> {
    const beginnings = await this.files.beginningsOf(tx, [...fileIds], DEBTOR_WITHIN);
    return beginnings.every((xml) => debtorIbanIn(xml) === account);
  }

  /**
   * The bank has paid some payouts of a file, which it so has: the others are on their way too. Those that are known
   * as paid, or to have come back, stay so.
   */
  async left(tx: EntityManager, fileId: string, ids: ReadonlySet<string>): Promise<void> {
    const waiting = await this.submitted(tx, fileId);
    const paid = waiting.filter(({ id }) => ids.has(id));
    if (paid.length > 0) await this.mover.moveAll(tx, paid, 'paid', { paidAt: this.clock.now() });
  }

  /**
   * The money came back, also when nobody had seen it leave. One that is known to have come back stays so.
   * @param saidBy who brought the bank's word: they do not approve what the money is paid out with next
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

  /** A file of which the bank tells was submitted. @returns its payouts that nobody knows more of, as they are now */
  private async submitted(tx: EntityManager, fileId: string): Promise<Payout[]> {
    const statuses = ['exported', 'submitted'] as const;
    const waiting = await this.payouts.lockOfFile(tx, fileId, statuses, FILE_PAYOUTS_MAX);
    const exported = waiting.filter(({ status }) => status === 'exported');
    const moved =
      exported.length > 0 ? await this.mover.moveAll(tx, exported, 'submitted', {}) : [];
    return [...waiting.filter(({ status }) => status === 'submitted'), ...moved];
  }
}
