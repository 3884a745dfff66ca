import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import type { BankAllocation } from '../../database/bank/matching/bank-allocation.entity.js';
import {
  type AllocationKey,
  BankAllocationRepository,
} from '../../database/bank/matching/bank-allocation.repository.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import type { BankReturn } from '../../database/bank/matching/bank-return.entity.js';
import { LineStoreRepository } from '../../database/bank/lines/line-store.repository.js';
import { MatchingRepository } from '../../database/bank/matching/matching.repository.js';
import { Database } from '../../database/database.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import type { ReconciliationOutcome } from './outcomes.js';
import { GiveBackService } from '../../payments/give-back.service.js';

/** Undoes returns of payments that a rule or an operator recorded. */
@Injectable()
export class UndoneReturnsService {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly allocations: BankAllocationRepository,
    private readonly givesBack: GiveBackService,
    private readonly store: LineStoreRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Restores the payment. The outgoing line needs attention again, and no rule books it.
   * @param userId the operator; stored with the return
   * @param hook receives the return as it was
   */
  undo(
    mode: Mode,
    lineId: string,
    key: AllocationKey,
    userId: string,
    hook: TransactionHook<BankReturn> = noHook,
  ): Promise<ReconciliationOutcome> {
    return this.database.transaction(async (tx) => {
      const line = await this.matching.lock(tx, mode, lineId);
      const returned = line && (await this.allocations.standingReturn(tx, lineId, key));
      const known = returned && (await this.allocations.findIn(tx, key));
      const paying = known && (await this.matching.lock(tx, mode, known.lineId));
      if (!line || !returned || !paying) return 'not_possible';
      const allocation = (await this.allocations.findIn(tx, key))!;
      const now = this.clock.now();
      if (!(await this.givesBack.giveBack(tx, allocation, returned, userId, now)))
        return 'not_possible';
      const waits = { id: line.id, state: 'unmatched', reason: 'return_undone' } as const;
      await this.matching.decided(tx, [waits], now);
      await this.store.countParts(tx, line.id, now);
      await this.payAgain(tx, paying, allocation, now);
      await hook(tx, returned);
      return 'done';
    });
  }

  /** Restores the previous state of lines that were taken back as a whole. */
  private async payAgain(
    tx: EntityManager,
    { id, amount, reason: said }: BankLine,
    { matchedBy, evidence }: BankAllocation,
    now: Date,
  ): Promise<void> {
    if (said !== 'charged_back') return;
    const isAll = (await this.allocations.allocated(tx, id)) === amount;
    const rule = typeof evidence['rule'] === 'string' ? evidence['rule'] : 'reference';
    const verdict = isAll
      ? ({ state: 'matched', reason: matchedBy === null ? rule : 'by_hand' } as const)
      : ({ state: 'unmatched', reason: 'partly_matched' } as const);
    await this.matching.decided(tx, [{ id, ...verdict }], now);
  }
}
