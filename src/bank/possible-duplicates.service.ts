import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import { LineStoreRepository } from '../database/bank/line-store.repository.js';
import { MatchingRepository } from '../database/bank/matching.repository.js';
import { PossibleDuplicateRepository } from '../database/bank/possible-duplicate.repository.js';
import { Database } from '../database/database.js';
import type { Mode } from '../database/merchants/api-key.entity.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import type { DeskOutcome } from './line-desk.service.js';
import { SETTLED_REASONS } from './matching.js';
import { isPossibleDuplicate } from './waiting-line.js';

/** `used` = the other line has moved money that only this one proved. */
export type UnmergeOutcome = DeskOutcome | 'used';

/** What operators say of lines that may be other ones that are there. */
@Injectable()
export class PossibleDuplicatesService {
  constructor(
    private readonly database: Database,
    private readonly matching: MatchingRepository,
    private readonly store: LineStoreRepository,
    private readonly duplicates: PossibleDuplicateRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Says that a line is the booking that it may be: that one has its places from now on, so that later files know it.
   * @param hook gets the line as it is afterwards
   */
  sameBooking(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<DeskOutcome> {
    return this.withLocked(mode, lineId, async (tx, line) => {
      const other = line.duplicateOf!;
      const now = this.clock.now();
      const total = await this.duplicates.totalOf(tx, line.id);
      if (total) {
        await this.store.tie(tx, [total], now);
        await this.duplicates.callTotal(tx, total.id);
        await hook(tx, (await this.matching.lock(tx, mode, lineId))!);
        return;
      }
      await this.duplicates.merge(tx, line.id, other, now);
      await this.duplicates.takeWords(tx, line.id, other);
      if (line.unproven === null) await this.store.prove(tx, [other], SETTLED_REASONS);
      const verdict = { state: 'superseded', reason: 'same_booking' } as const;
      await this.matching.decided(tx, [{ id: line.id, ...verdict }], now);
      await hook(tx, { ...line, ...verdict, lookedAt: now });
    });
  }

  /**
   * Takes that back: both lines are what they were, and this one waits for a person again.
   * @param hook gets the line as it was
   */
  undoSameBooking(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<UnmergeOutcome> {
    return this.database.transaction(async (tx) => {
      await this.duplicates.lockAccountOf(tx, mode, lineId);
      const line = await this.matching.lock(tx, mode, lineId);
      if (line?.state !== 'superseded') return 'not_possible';
      const outcome = await this.unmerge(tx, line);
      if (outcome === 'done') await hook(tx, line);
      return outcome;
    });
  }

  private async unmerge(
    tx: EntityManager,
    { id, mode, reason, parentId }: BankLine,
  ): Promise<UnmergeOutcome> {
    if (reason === 'total') {
      await this.duplicates.untie(tx, parentId ?? id);
      return 'done';
    }
    const known = await this.duplicates.mergedWith(tx, id);
    if (!known) return 'not_possible';
    // Whoever pays with the other one holds its lock: what it has moved is read behind that.
    await this.matching.lock(tx, mode, known.id);
    if ((await this.duplicates.mergedWith(tx, id))?.isUsed) return 'used';
    await this.duplicates.unmerge(tx, id, SETTLED_REASONS);
    return 'done';
  }

  /**
   * Says that a line is another booking than the one that it may be: the rules look at it as at any other.
   * @param userId who says so; the line keeps it
   * @param hook gets the line as it was
   */
  anotherBooking(
    mode: Mode,
    lineId: string,
    userId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<DeskOutcome> {
    return this.withLocked(mode, lineId, async (tx, line) => {
      await this.duplicates.tellApart(tx, line.id, userId);
      await hook(tx, line);
    });
  }

  /** No import stores lines of the account meanwhile. */
  private withLocked(
    mode: Mode,
    lineId: string,
    work: (tx: EntityManager, line: BankLine) => Promise<void>,
  ): Promise<DeskOutcome> {
    return this.database.transaction(async (tx) => {
      await this.duplicates.lockAccountOf(tx, mode, lineId);
      const line = await this.matching.lock(tx, mode, lineId);
      if (!line || !isPossibleDuplicate(line)) return 'not_possible';
      await work(tx, line);
      return 'done';
    });
  }
}
