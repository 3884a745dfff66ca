import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { type CountedPayout, PayoutRepository } from '../database/payouts/payout.repository.js';
import { Problem } from '../http/problem.js';
import { FILE_LINES_MAX, fitting, PART_LINES_MAX, partsOf } from './export-parts.js';
import { unusable } from './unusable-account.js';

/** Payouts in one file. */
export const FILE_PAYOUTS_MAX = 10_000;
/** Payouts whose lines one statement counts. */
const COUNTED_MAX = 100;

/** Picks what goes into a file. Every statement reads a bounded number of lines. */
@Injectable()
export class ExportPicker {
  readonly limits = { file: FILE_LINES_MAX, part: PART_LINES_MAX };

  constructor(
    private readonly payouts: PayoutRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * The oldest approved payouts, locked, each as it was approved; what does not fit waits for the
   * next file, and so does what goes to an account that is not paid to.
   * @throws Problem `nothing_to_export`; `bank_account_not_usable` naming the first where that keeps all of
   *   them; `payout_changed` naming the first that is not as it was approved
   */
  async pick(tx: EntityManager, mode: Mode, currency: string): Promise<Payout[]> {
    const now = this.clock.now();
    const approved = await this.payouts.lockApproved(tx, mode, currency, FILE_PAYOUTS_MAX, now);
    if (approved.length === 0) {
      const held = await this.payouts.findHeld(tx, mode, currency, now);
      throw held ? unusable(held.id) : new Problem('nothing_to_export');
    }
    const picked = fitting(await this.counted(tx, approved), this.limits.file);
    for (const part of partsOf(picked, this.limits.part)) await this.assertUnchanged(tx, part);
    return picked;
  }

  /** As many of the payouts as a file can have, and perhaps some more. */
  private async counted(tx: EntityManager, approved: readonly Payout[]): Promise<CountedPayout[]> {
    const counted: CountedPayout[] = [];
    let lines = 0;
    for (let i = 0; i < approved.length && lines <= this.limits.file; i += COUNTED_MAX) {
      const some = await this.payouts.withLineCounts(tx, approved.slice(i, i + COUNTED_MAX));
      counted.push(...some);
      lines = some.reduce((sum, payout) => sum + payout.lines, lines);
    }
    return counted;
  }

  private async assertUnchanged(tx: EntityManager, part: readonly Payout[]): Promise<void> {
    const hashes = await this.payouts.hashes(tx, part);
    const changed = part.find(
      ({ id, approvedHash }) => !approvedHash || !hashes.get(id)?.equals(approvedHash),
    );
    if (changed) throw hasChanged(changed);
  }
}

const hasChanged = ({ id, merchantId }: Payout): Problem =>
  new Problem('payout_changed', {
    detail: `The payout ${id} is not what was approved, so nothing was exported. Reject it.`,
    members: { payoutId: id, merchantId },
  });
