import { Injectable } from '@nestjs/common';
import { chunksByKey } from '../../../common/chunks.js';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { BankLine } from './bank-line.entity.js';
import type { OrdinalRange } from './candidate-query.js';
import { asJson, type StoringStatement, type TiedTotal } from './line-store.repository.js';
import {
  DUPLICATES_BACK,
  FORGET_MERGE,
  KEEP_MERGE,
  MAY_BE_LATER,
  MERGED_WITH,
  MOVE_DUPLICATES,
  MOVE_PLACES,
  PLACES_BACK,
  COPY_TEXTS,
  NEXT_BATCH,
  TOTAL_OF,
  UNNAME_TOTAL,
  UNTIE,
  WAIT_AGAIN,
  RESTORE_TEXTS,
} from './merged-lines.statements.js';
import {
  DELETE_DISTINCTIONS,
  INSERT_DISTINCTION,
  LEAVE_MERGED,
  CROWDED,
  RECHECK,
  LOCK_ACCOUNT_OF,
  RIVALS,
  SETTLE,
  MARK_DISTINCT,
  NEXT_OTHER,
  UNDO_MARK_DISTINCT,
} from './possible-duplicate.statements.js';
import { CALL_TOTAL } from './line-store.statements.js';
export { NEAR_DAYS } from './line-store.statements.js';
export { NAME_IN, NO_NAME } from './same-booking.statements.js';

/**
 * A line of a file, with the bank's identifiers that distinguish it from a stored line. A stored line that differs in
 * none may be the same booking.
 */
export interface WantedRival {
  readonly n: number;
  /** `BankLine.key` without the day. */
  readonly money: string;
  readonly day: string | null;
  /** Value day, else the booking day. */
  readonly valuedOn: string | null;
  /** Whether `day` is a booking day. */
  readonly isBooked: boolean;
  readonly ofTransaction: string | null;
  readonly ofEntry: string | null;
  /** Whether the payer may have written the reference: then it does not distinguish the line from others. */
  readonly isDoubtful: boolean;
  readonly endToEndId: string | null;
  readonly transactionId: string | null;
  readonly uetr: string | null;
  /** Whether it has a name that is unique in its kind of message. */
  readonly isNamed: boolean;
  /** As `BankLine.namedReference`. */
  readonly named: string | null;
  readonly iban: string | null;
}

/** Lines per search, unless more have the same amount. */
const WANTED_MAX = 1_000;

/** Search for stored lines that may be the same bookings. */
interface WantedRivals {
  readonly wanted: readonly WantedRival[];
  /** Property of `BankLine.identifiers` with the name of a line in this kind of message. */
  readonly name: string;
  /** Ordinals that this statement has not assigned, for keys with many lines. */
  readonly own: readonly OrdinalRange[];
  /** Ids of stored lines already identified with other lines of the file. */
  readonly taken: readonly string[];
  /** Certain matches of the statement are done. Before, any line counts, even one that it may still contain. */
  readonly isLate: boolean;
}

/** Account whose lines are compared again, and the statement that causes it; null for an operator. */
type AskingStatement = Pick<StoringStatement, 'mode' | 'account' | 'apart'> & {
  readonly statementId: string | null;
};

/** No statement causes the comparison. */
export const BY_OPERATOR = { apart: [], statementId: null } as const;

/** The line with which another one was merged, and whether it has moved money that only the merged line proved. */
export interface MergedWith {
  readonly id: string;
  readonly isUsed: boolean;
}

/** Detects possible duplicates among bank lines, and stores the operators' decisions about them. */
@Injectable()
export class PossibleDuplicateRepository {
  /**
   * Finds for each wanted line a stored one that may be the same booking.
   * @returns ids by `WantedRival.n`
   */
  async rivals(
    tx: EntityManager,
    { mode, account, statementId, apart }: StoringStatement,
    { wanted, name, own, taken, isLate }: WantedRivals,
  ): Promise<ReadonlyMap<number, string>> {
    const limit = isLate ? null : 1;
    const rest = [asJson(own), apart, taken, limit, name];
    const found = new Map<number, string>();
    for (const some of chunksByKey(wanted, ({ money }) => money, WANTED_MAX)) {
      const values = [mode, account, statementId, asJson(some), ...rest];
      const rows: { n: number; id: string }[] = await tx.query(RIVALS, values);
      for (const { n, id } of rows) found.set(n, id);
    }
    return found;
  }

  /**
   * For a statement with too many neighbours: one stored line for each key with many equal lines.
   * @returns ids by the keys of lines
   */
  async crowded(
    tx: EntityManager,
    { mode, account, statementId, apart }: StoringStatement,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const values = [mode, account, statementId, [...new Set(keys)], apart];
    const rows: { key: string; id: string }[] = await tx.query(CROWDED, values);
    return new Map(rows.map(({ key, id }) => [key, id]));
  }

  /**
   * Ends possible duplicates that a balanced statement proves to be separate bookings.
   * @param ids ids of the statement's lines
   * @returns ids of lines whose duplicate was ruled out; each may still be another booking
   */
  async settle(
    tx: EntityManager,
    { statementId, apart }: Pick<StoringStatement, 'statementId' | 'apart'>,
    ids: readonly string[],
  ): Promise<string[]> {
    const [lines]: [{ id: string }[]] = await tx.query(SETTLE, [ids, statementId, apart]);
    return lines.map(({ id }) => id);
  }

  /**
   * Compares known lines again before the rules decide about them.
   * @param lines ids of lines with new texts, and of lines that are compared with all lines of the money
   */
  async recheck(
    tx: EntityManager,
    { mode, account, statementId, apart }: AskingStatement,
    { renamed, whole }: { readonly renamed: readonly string[]; readonly whole: readonly string[] },
  ): Promise<void> {
    if (renamed.length + whole.length === 0) return;
    await tx.query(RECHECK, [mode, account, renamed, whole, '[]', apart, statementId]);
  }

  /** Serializes with imports into the line's account. */
  async lockAccountOf(tx: EntityManager, mode: Mode, lineId: string): Promise<void> {
    await tx.query(LOCK_ACCOUNT_OF, [mode, lineId]);
  }

  /** Copies the payer's details of a proven line to the unproven one with which it is merged. */
  async copyTexts(tx: EntityManager, lineId: string, otherId: string): Promise<void> {
    await tx.query(COPY_TEXTS, [lineId, otherId]);
  }

  /** Moves a line's places and duplicates to the other line, and stores the previous values. */
  async merge(tx: EntityManager, lineId: string, otherId: string, now: Date): Promise<void> {
    await tx.query(KEEP_MERGE, [lineId, otherId, now]);
    await tx.query(MOVE_PLACES, [lineId, otherId]);
    await tx.query(MOVE_DUPLICATES, [lineId, otherId]);
  }

  /** The other line of a merge; null without a merge, or when that line was merged with another one since. */
  async mergedWith(tx: EntityManager, lineId: string): Promise<MergedWith | null> {
    const rows: MergedWith[] = await tx.query(MERGED_WITH, [lineId]);
    return rows[0] ?? null;
  }

  /**
   * Restores both lines, except for later changes, and queues them for matching.
   * @param settled reasons of lines that are not matched again
   * @throws a check violation of `bank_line_merges_unused` when the other line has moved money that only this one
   * proved
   */
  async unmerge(tx: EntityManager, lineId: string, settled: readonly string[]): Promise<void> {
    await tx.query(PLACES_BACK, [lineId]);
    await tx.query(RESTORE_TEXTS, [lineId, settled]);
    await tx.query(DUPLICATES_BACK, [lineId]);
    await tx.query(MAY_BE_LATER, [lineId]);
    await tx.query(FORGET_MERGE, [lineId]);
    await tx.query(WAIT_AGAIN, [lineId]);
  }

  /** Reverts an operator's decision that a total and payments are the same money. */
  async untie(tx: EntityManager, totalId: string): Promise<void> {
    await tx.query(UNTIE, [totalId]);
    await tx.query(UNNAME_TOTAL, [totalId]);
  }

  /** The batch total, when a line and its possible duplicate are a total and its first payment. */
  async totalOf(tx: EntityManager, lineId: string): Promise<TiedTotal | null> {
    const rows: TiedTotal[] = await tx.query(TOTAL_OF, [lineId]);
    return rows[0] ?? null;
  }

  /** Marks the superseded ones of a total and its payments as an operator's decision. */
  async callTotal(tx: EntityManager, totalId: string): Promise<void> {
    await tx.query(CALL_TOTAL, [totalId]);
  }

  /**
   * Stores an operator's decision that a possible duplicate is another booking than the line that it is compared with.
   * The next line or batch that it may be a duplicate of takes that one's place; without one it is queued for matching.
   * @returns whether the line is still a possible duplicate
   */
  async markDistinct(
    tx: EntityManager,
    { id, mode, account }: Pick<BankLine, 'id' | 'mode' | 'account'>,
    userId: string,
    now: Date,
  ): Promise<boolean> {
    await tx.query(INSERT_DISTINCTION, [id, userId, now]);
    const { apart, statementId } = BY_OPERATOR;
    const values = [mode, account, [], [id], '[]', apart, statementId];
    const [others]: [unknown[]] = await tx.query(NEXT_OTHER, values);
    if (others.length > 0) return true;
    const [batches]: [unknown[]] = await tx.query(NEXT_BATCH, [id]);
    if (batches.length > 0) return true;
    await tx.query(MARK_DISTINCT, [id, userId]);
    return false;
  }

  /**
   * Reverts that decision.
   * @returns false when the line has moved money; the caller holds its lock
   */
  async undoMarkDistinct(tx: EntityManager, lineId: string): Promise<boolean> {
    const [lines]: [unknown[]] = await tx.query(UNDO_MARK_DISTINCT, [lineId]);
    if (lines.length === 0) return false;
    await tx.query(DELETE_DISTINCTIONS, [lineId]);
    const [left]: [Pick<BankLine, 'mode' | 'account'>[]] = await tx.query(LEAVE_MERGED, [lineId]);
    for (const account of left)
      await this.recheck(tx, { ...account, ...BY_OPERATOR }, { renamed: [], whole: [lineId] });
    return true;
  }
}
