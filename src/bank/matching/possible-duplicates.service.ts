import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { LineStoreRepository } from '../../database/bank/lines/line-store.repository.js';
import { MatchingRepository } from '../../database/bank/matching/matching.repository.js';
import {
  BY_OPERATOR,
  PossibleDuplicateRepository,
} from '../../database/bank/lines/possible-duplicate.repository.js';
import { Database } from '../../database/database.js';
import type { Mode } from '../../database/merchants/api-key.entity.js';
import { noHook, type TransactionHook } from '../../database/transaction-hook.js';
import type { ReconciliationOutcome } from './outcomes.js';
import { SETTLED_REASONS } from './line-reasons.js';
import { isPossibleDuplicate, isMarkedDistinct } from '../recognition/waiting-line.js';

/** `used` = money was moved that depends on the decision to be undone. */
export type UnmergeOutcome = ReconciliationOutcome | 'used';

/** Reason of a line that an operator can reopen. */
const OTHER_AMOUNT = 'The same booking as another line, with another amount.';

const isSameMoney = (one: BankLine, other: BankLine): boolean =>
  one.amount === other.amount &&
  one.amountText === other.amountText &&
  one.currency === other.currency &&
  one.direction === other.direction;

/** Decisions of operators about possible duplicates. */
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
   * Merges a line into the booking it may duplicate. That booking takes over its positions, so that later files
   * recognise it. A line of another amount is ignored instead: its statement needs its amount.
   * @param hook receives the updated line
   */
  sameBooking(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<ReconciliationOutcome> {
    return this.withDuplicate(mode, lineId, async (tx, line) => {
      const other = line.duplicateOf!;
      const now = this.clock.now();
      const total = await this.duplicates.totalOf(tx, line.id);
      if (total) {
        await this.store.tie(tx, [total], now);
        await this.duplicates.callTotal(tx, total.id);
        await hook(tx, (await this.matching.lock(tx, mode, lineId))!);
        return 'done';
      }
      const known = await this.matching.lock(tx, mode, other);
      if (known!.state === 'superseded' && known!.reason === 'same_booking') return 'not_possible';
      if (!isSameMoney(line, known!)) {
        const ignored = { state: 'ignored', reason: OTHER_AMOUNT } as const;
        await this.matching.decided(tx, [{ id: line.id, ...ignored }], now);
        await hook(tx, { ...line, ...ignored, lookedAt: now });
        return 'done';
      }
      await this.duplicates.merge(tx, line.id, other, now);
      await this.duplicates.copyTexts(tx, line.id, other);
      if (line.unproven === null) await this.store.prove(tx, [other], SETTLED_REASONS);
      const verdict = { state: 'superseded', reason: 'same_booking' } as const;
      await this.matching.decided(tx, [{ id: line.id, ...verdict }], now);
      await this.recheck(tx, line, other);
      await hook(tx, { ...line, ...verdict, lookedAt: now });
      return 'done';
    });
  }

  /**
   * Undoes the merge: both lines are restored, and this one waits for an operator again.
   * @param hook receives the line as it was
   */
  undoSameBooking(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<UnmergeOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (line?.state !== 'superseded') return 'not_possible';
      if (line.reason === 'total') {
        // First: the audit log finds the payments of the total, in all of which this operator has a hand.
        await hook(tx, line);
        await this.duplicates.untie(tx, line.parentId ?? line.id);
        return 'done';
      }
      const outcome = await this.unmerge(tx, line);
      if (outcome === 'done') await hook(tx, line);
      return outcome;
    });
  }

  private async unmerge(tx: EntityManager, line: BankLine): Promise<UnmergeOutcome> {
    const { id, mode } = line;
    const known = await this.duplicates.mergedWith(tx, id);
    if (!known) return 'not_possible';
    // Allocations to the other line need its lock: read them only after locking it.
    await this.matching.lock(tx, mode, known.id);
    if ((await this.duplicates.mergedWith(tx, id))?.isUsed) return 'used';
    await this.duplicates.unmerge(tx, id, SETTLED_REASONS);
    await this.recheck(tx, line, known.id);
    return 'done';
  }

  /** Its texts have changed, so it may duplicate another booking. */
  private recheck(tx: EntityManager, { mode, account }: BankLine, otherId: string): Promise<void> {
    return this.duplicates.recheck(
      tx,
      { mode, account, ...BY_OPERATOR },
      { renamed: [], whole: [otherId] },
    );
  }

  /**
   * Records that a line is another booking than the one that it is compared with. It is then compared with the next one
   * that it may be; without one, the rules match it like any other.
   * @param userId the operator; stored with the line
   * @param hook receives the line as it was
   * @returns `asked_again` when it may be the same booking as another line
   */
  async anotherBooking(
    mode: Mode,
    lineId: string,
    userId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<ReconciliationOutcome | 'asked_again'> {
    let isAskedAgain = false;
    const outcome = await this.withDuplicate(mode, lineId, async (tx, line) => {
      isAskedAgain = await this.duplicates.markDistinct(tx, line, userId, this.clock.now());
      await hook(tx, line);
      return 'done';
    });
    return isAskedAgain ? 'asked_again' : outcome;
  }

  /**
   * Undoes that: the line is a possible duplicate again.
   * @param hook receives the line as it was
   */
  undoAnotherBooking(
    mode: Mode,
    lineId: string,
    hook: TransactionHook<BankLine> = noHook,
  ): Promise<UnmergeOutcome> {
    return this.withLine(mode, lineId, async (tx, line) => {
      if (!line || !isMarkedDistinct(line)) return 'not_possible';
      if (!(await this.duplicates.undoMarkDistinct(tx, line.id))) return 'used';
      await hook(tx, line);
      return 'done';
    });
  }

  private withDuplicate(
    mode: Mode,
    lineId: string,
    work: (tx: EntityManager, line: BankLine) => Promise<ReconciliationOutcome>,
  ): Promise<ReconciliationOutcome> {
    return this.withLine(mode, lineId, async (tx, line) =>
      line && isPossibleDuplicate(line) ? work(tx, line) : 'not_possible',
    );
  }

  /** Runs with the account and the line locked, so that no import stores lines meanwhile. */
  private withLine<Outcome>(
    mode: Mode,
    lineId: string,
    work: (tx: EntityManager, line: BankLine | null) => Promise<Outcome>,
  ): Promise<Outcome> {
    return this.database.transaction(async (tx) => {
      await this.duplicates.lockAccountOf(tx, mode, lineId);
      return work(tx, await this.matching.lock(tx, mode, lineId));
    });
  }
}
