import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Problem } from '../common/problem.js';
import type { Mode } from '../database/entities/api-key.entity.js';
import type { Payout } from '../database/entities/payout.entity.js';
import {
  type CountedPayout,
  PayoutRepository,
} from '../database/repositories/payout.repository.js';
import { FILE_LINES_MAX, fitting, PART_LINES_MAX, partsOf } from './export-parts.js';

/** Payouts in one file. */
export const FILE_PAYOUTS_MAX = 10_000;
/** Payouts whose lines one statement counts. */
const COUNTED_MAX = 100;

/** Picks what goes into a file. Every statement reads a bounded number of lines. */
@Injectable()
export class ExportPicker {
  readonly limits = { file: FILE_LINES_MAX, part: PART_LINES_MAX };

  constructor(private readonly payouts: PayoutRepository) {}

  /**
   * The oldest approved payouts, locked, each as it was approved; what does not fit waits for the
   * next file.
   * @throws Problem `payout_changed`, naming the first that is not
   */
  async pick(tx: EntityManager, mode: Mode, currency: string): Promise<Payout[]> {
    const approved = await this.payouts.lockApproved(tx, mode, currency, FILE_PAYOUTS_MAX);
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
