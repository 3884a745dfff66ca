import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import { asJson, type OrdinalRange, type StoringStatement } from './line-store.repository.js';
import {
  LOCK_ACCOUNT_OF,
  MOVE_DUPLICATES,
  MOVE_PLACES,
  RIVALS,
  TAKE_WORDS,
  TELL_APART,
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

  /** From now on every statement that told of a line has told of the other one. */
  async movePlaces(tx: EntityManager, lineId: string, otherId: string): Promise<void> {
    await tx.query(MOVE_PLACES, [lineId, otherId]);
    await tx.query(MOVE_DUPLICATES, [lineId, otherId]);
  }

  /** A person says that a line is no other booking; the rules look at it again. */
  async tellApart(tx: EntityManager, lineId: string, userId: string): Promise<void> {
    await tx.query(TELL_APART, [lineId, userId]);
  }
}
