import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import type { Payout } from '../database/payouts/payout.entity.js';
import { type CountedPayout, PayoutRepository } from '../database/payouts/payout.repository.js';
import type { PayoutWait } from '../database/payouts/payout-money.repository.js';
import { Problem } from '../http/problems/problem.js';
import { FILE_LINES_MAX, fitting, PART_LINES_MAX, partsOf } from './export-parts.js';
import { barOf } from './second-person.js';
import { unusable } from './unusable-account.js';

/** Maximum payouts per file. */
export const FILE_PAYOUTS_MAX = 10_000;
/** Payouts whose lines one statement counts. */
const COUNTED_MAX = 100;

/** Selects the payouts of a file. Every statement reads a bounded number of lines. */
@Injectable()
export class ExportPicker {
  readonly limits = { file: FILE_LINES_MAX, part: PART_LINES_MAX };

  constructor(
    private readonly payouts: PayoutRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Locks the oldest approved payouts that are unchanged since their approval. Payouts that exceed the file wait for
   * the next one, as do payouts to unusable accounts and payouts whose money already left according to a bank.
   * @throws Problem `nothing_to_export`; `bank_account_not_usable` or `payout_not_possible` for the first payout if
   * that applies to all; `payout_changed` for the first one that changed since its approval
   */
  async pick(tx: EntityManager, mode: Mode, currency: string): Promise<Payout[]> {
    const now = this.clock.now();
    const approved = await this.payouts.lockApproved(tx, mode, currency, FILE_PAYOUTS_MAX, now);
    if (approved.length === 0) {
      const held = await this.payouts.findHeld(tx, mode, currency, now);
      if (held?.by === 'left_before' || held?.by === 'return_waits') throw waits(held.id, held.by);
      throw held ? unusable(held.id) : new Problem('nothing_to_export');
    }
    const picked = fitting(await this.counted(tx, approved), this.limits.file);
    for (const part of partsOf(picked, this.limits.part)) await this.assertUnchanged(tx, part);
    return picked;
  }

  /** As many payouts as fit into a file, and possibly more. */
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

const waits = (payoutId: string, wait: PayoutWait): Problem =>
  new Problem('payout_not_possible', {
    detail: barOf(wait).text,
    members: { payoutId, payoutStatus: 'approved' },
  });

const hasChanged = ({ id, merchantId }: Payout): Problem =>
  new Problem('payout_changed', {
    detail: `The payout ${id} is not what was approved, so nothing was exported. Reject it.`,
    members: { payoutId: id, merchantId },
  });
