import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import {
  asJson,
  type OrdinalRange,
  type StoringStatement,
  type TiedTotal,
} from './line-store.repository.js';
import {
  LOCK_ACCOUNT_OF,
  DUPLICATES_BACK,
  FORGET_MERGE,
  KEEP_MERGE,
  MAY_BE_LATER,
  MERGED_WITH,
  MOVE_DUPLICATES,
  PLACES_BACK,
  UNNAME_TOTAL,
  UNTIE,
  WAIT_AGAIN,
  WORDS_BACK,
  MOVE_PLACES,
  RIVALS,
  TAKE_WORDS,
  CALL_TOTAL,
  TELL_APART,
  TOTAL_OF,
} from './possible-duplicate.statements.js';
export { NEAR_DAYS } from './line-store.statements.js';

/** What a bank says of a line of a file: a line that is there may be the same, unless it says something else there. */
export interface WantedRival {
  readonly n: number;
  /** `BankLine.key` without its day. */
  readonly money: string;
  readonly day: string | null;
  readonly valuedOn: string | null;
  readonly ofTransaction: string | null;
  readonly ofEntry: string | null;
  /** Whether a payer may have written the reference: then it tells the line from none. */
  readonly isDoubtful: boolean;
  readonly endToEndId: string | null;
  readonly transactionId: string | null;
  readonly uetr: string | null;
  /** `BankLine.namedReference` */
  readonly named: string | null;
  readonly iban: string | null;
  /** Running numbers by kind of message. */
  readonly numbers: Readonly<Record<string, string | null>>;
}

/** The line that another one was called, and whether it has moved money that only that one proved. */
export interface MergedWith {
  readonly id: string;
  readonly isUsed: boolean;
}

/** Lines that may be others that are there, and what people say of them. */
@Injectable()
export class PossibleDuplicateRepository {
  /**
   * For each wanted line one that is there and may be the same, if there is one.
   * @param own ordinals that the statement has not given itself, of keys of which it has given many
   * @param taken ids of lines that others of the file are
   * @param isLate the statement has told of all that are surer; before, any line will do that it may still tell of
   * @returns ids by `WantedRival.n`
   */
  async rivals(
    tx: EntityManager,
    { mode, account, statementId, apart }: StoringStatement,
    wanted: readonly WantedRival[],
    own: readonly OrdinalRange[],
    taken: readonly string[],
    isLate: boolean,
  ): Promise<ReadonlyMap<number, string>> {
    if (wanted.length === 0) return new Map();
    const values = [
      mode,
      account,
      statementId,
      asJson(wanted),
      asJson(own),
      apart,
      taken,
      isLate ? null : 1,
    ];
    const rows: { n: number; id: string }[] = await tx.query(RIVALS, values);
    return new Map(rows.map(({ n, id }) => [n, id]));
  }

  /** Whoever stores lines of the account of this one comes after. */
  async lockAccountOf(tx: EntityManager, mode: Mode, lineId: string): Promise<void> {
    await tx.query(LOCK_ACCOUNT_OF, [mode, lineId]);
  }

  /** The other one has the words of a line that proves it. */
  async takeWords(tx: EntityManager, lineId: string, otherId: string): Promise<void> {
    await tx.query(TAKE_WORDS, [lineId, otherId]);
  }

  /** From now on every statement that told of a line has told of the other one; what was before is kept. */
  async merge(tx: EntityManager, lineId: string, otherId: string, now: Date): Promise<void> {
    await tx.query(KEEP_MERGE, [lineId, otherId, now]);
    await tx.query(MOVE_PLACES, [lineId, otherId]);
    await tx.query(MOVE_DUPLICATES, [lineId, otherId]);
  }

  /** The other line of a merge that can be undone; null where there is none, or that line is another one's since. */
  async mergedWith(tx: EntityManager, lineId: string): Promise<MergedWith | null> {
    const rows: MergedWith[] = await tx.query(MERGED_WITH, [lineId]);
    return rows[0] ?? null;
  }

  /**
   * Both lines are what they were before, but for what came since; the rules look at both again.
   * @param settled reasons of lines at which no rule looks again
   * @throws a check violation of `bank_line_merges_unused` where the other one has moved money that this one proved
   */
  async unmerge(tx: EntityManager, lineId: string, settled: readonly string[]): Promise<void> {
    await tx.query(PLACES_BACK, [lineId]);
    await tx.query(WORDS_BACK, [lineId, settled]);
    await tx.query(DUPLICATES_BACK, [lineId]);
    await tx.query(MAY_BE_LATER, [lineId]);
    await tx.query(FORGET_MERGE, [lineId]);
    await tx.query(WAIT_AGAIN, [lineId]);
  }

  /** The payments of a total, and it, count as before a person said that they are the same. */
  async untie(tx: EntityManager, totalId: string): Promise<void> {
    await tx.query(UNTIE, [totalId]);
    await tx.query(UNNAME_TOTAL, [totalId]);
  }

  /** The total, where a line and the one that it may be are a total and the first of its payments. */
  async totalOf(tx: EntityManager, lineId: string): Promise<TiedTotal | null> {
    const rows: TiedTotal[] = await tx.query(TOTAL_OF, [lineId]);
    return rows[0] ?? null;
  }

  /** Those of a total and its payments that do not count any more do so because a person says so. */
  async callTotal(tx: EntityManager, totalId: string): Promise<void> {
    await tx.query(CALL_TOTAL, [totalId]);
  }

  /** A person says that a line is no other booking; the rules look at it again. */
  async tellApart(tx: EntityManager, lineId: string, userId: string): Promise<void> {
    await tx.query(TELL_APART, [lineId, userId]);
  }
}
