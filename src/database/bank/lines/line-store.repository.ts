import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../../merchants/api-key.entity.js';
import type { CandidateQuery, OrdinalRange, KeyRange } from './candidate-query.js';
import type { BankLinePlace } from './bank-line-place.entity.js';
import type { BankLine, LineState } from './bank-line.entity.js';
import {
  ANNOUNCED_AROUND,
  BEFORE,
  BY_BATCHES,
  BY_KEYS,
  BY_MARKS,
  CALL_TOTAL,
  COUNT_PARTS,
  COVER_DAYS,
  type ENRICHED,
  ENRICH_LINES,
  SUPERSEDE_ANNOUNCED,
  FREE_PARTS,
  INSERT_LINES,
  INSERT_PLACES,
  INSERT_STATEMENT,
  LAST_ORDINALS,
  LOCK_ACCOUNT,
  LOCK_TOTALS,
  NAME_TOTALS,
  NEAR_MAX,
  NEAR_STATEMENTS,
  PLACES_BETWEEN,
  PROVE,
  REFERRED_AROUND,
  REQUEUE_DIFFERENT,
  SUPERSEDE,
  SUPERSEDE_PARTS,
  SUSPECT,
  SUSPECT_PARTS,
  TIE,
} from './line-store.statements.js';
export { ORDINAL_MAX, SHORT_END_TO_END_ID, SHORT_REFERENCE } from './line-store.statements.js';
import { SUSPECT_REFERENCE } from './same-reference.statements.js';
import type { StoredStatement } from '../files/stored-statement.entity.js';

/** A stored line. */
export type KnownLine = BankLine & {
  /** Statements that contain it already. */
  readonly statements: readonly string[];
};

/** The highest ordinal of a deduplication key. */
export type LastOrdinal = Pick<BankLine, 'key' | 'ordinal'>;

/** The account and statement whose lines are being stored. */
export interface StoringStatement {
  readonly mode: Mode;
  readonly account: string;
  readonly statementId: string;
  /** Statements that surely have different bookings. */
  readonly apart: readonly string[];
  /** Statements that probably have different bookings, but may overlap with this one. */
  readonly likelyApart: { readonly has: (statementId: string) => boolean };
  /** Whether there are more neighbours than were compared. */
  readonly isCut: boolean;
  /** Format, for example `camt.053.001.08`. */
  readonly format: string;
  /** Whether its balances prove its bookings; null when they cannot. */
  readonly balanced: boolean | null;
  /** For CSV: the entries that its balances do not prove. */
  readonly unproven?: ReadonlySet<number> | undefined;
  /** Money that the same bytes have booked by another profile, by `BankLine.key` without days: it may be the same. */
  readonly reread?: ReadonlySet<string> | 'all' | undefined;
}

/** Details that a file adds to a line; `booked` is the new state of a line that was announced or ignored. */
export type EnrichedLine = Pick<BankLine, 'id' | (typeof ENRICHED)[number]> & {
  readonly booked: LineState | null;
};

/** A batch total and the batch of its payments. */
export interface TiedTotal {
  readonly id: string;
  readonly batch: string;
  /** `BankLine.batchKey` of the payments; it differs from the total's key if the total is of another day. */
  readonly key: string;
}

/** A statement with both balances and the days of its bookings. */
export interface NearStatement extends Pick<StoredStatement, 'id' | 'sequence'> {
  readonly openingBalance: number;
  readonly closingBalance: number;
  readonly bookedFrom: string;
  readonly bookedUntil: string;
}

export type StatementBefore = Pick<StoredStatement, 'sequence' | 'coversUntil' | 'closingBalance'>;

/** Rows per insert, to stay within the statement timeout. */
const ROWS_MAX = 500;

/** Stores statements and their lines. Callers hold the account's lock. */
@Injectable()
export class LineStoreRepository {
  /** Serializes imports into an account until the transaction ends. */
  async lockAccount(tx: EntityManager, mode: Mode, account: string): Promise<void> {
    await tx.query(LOCK_ACCOUNT, [mode, account]);
  }

  /** @returns the id of the statement, also when an interrupted import stored it before */
  async insertStatement(tx: EntityManager, statement: StoredStatement): Promise<string> {
    const [{ id }] = await tx.query<[{ id: string }]>(INSERT_STATEMENT, [
      JSON.stringify(statement),
    ]);
    return id;
  }

  /** Marks the days as covered, once all lines of the statement are stored, and queues lines that waited for it. */
  async cover(
    tx: EntityManager,
    id: string,
    { coversFrom, coversUntil }: Pick<StoredStatement, 'coversFrom' | 'coversUntil'>,
  ): Promise<void> {
    await tx.query(COVER_DAYS, [id, coversFrom, coversUntil]);
    await tx.query(REQUEUE_DIFFERENT, [id]);
  }

  /** Balanced statements of the account, kind and days around, up to a limit. */
  async near(
    tx: EntityManager,
    { id, bookedFrom, bookedUntil }: NearStatement,
  ): Promise<{ readonly near: readonly NearStatement[]; readonly isAll: boolean }> {
    const near: NearStatement[] = await tx.query(NEAR_STATEMENTS, [id, bookedFrom, bookedUntil]);
    return { near, isAll: near.length <= NEAR_MAX };
  }

  /** The previous statement; null for the first. */
  async before(
    tx: EntityManager,
    id: string,
    { coversFrom, coversUntil }: Pick<StoredStatement, 'coversFrom' | 'coversUntil'>,
  ): Promise<StatementBefore | null> {
    const rows: StatementBefore[] = await tx.query(BEFORE, [id, coversFrom, coversUntil]);
    return rows[0] ?? null;
  }

  places(tx: EntityManager, id: string, from: number, to: number): Promise<BankLinePlace[]> {
    return tx.query(PLACES_BETWEEN, [id, from, to]);
  }

  /** The highest stored ordinal by key. */
  lastOrdinals(
    tx: EntityManager,
    { mode, account }: StoringStatement,
    keys: readonly string[],
  ): Promise<LastOrdinal[]> {
    return tx.query(LAST_ORDINALS, [mode, account, keys]);
  }

  /** All stored lines that may be the same booking as a wanted one, without repetition. */
  async known(
    tx: EntityManager,
    storing: StoringStatement,
    queries: Iterable<CandidateQuery>,
  ): Promise<KnownLine[]> {
    const known = new Map<string, KnownLine>();
    for (const query of queries)
      for (const line of await this.find(tx, storing, query)) known.set(line.id, line);
    return [...known.values()];
  }

  private async find(
    tx: EntityManager,
    { mode, account, statementId }: StoringStatement,
    wanted: CandidateQuery,
  ): Promise<KnownLine[]> {
    const { marked, anyOf, batchKeys, announced, referred, references } = wanted;
    const ends = (ranges: readonly (KeyRange | OrdinalRange)[]) => [
      ranges.map(({ low }) => low),
      ranges.map(({ high }) => high),
    ];
    const ask = (some: readonly unknown[], sql: string, more: unknown[]): Promise<KnownLine[]> =>
      some.length > 0 ? tx.query(sql, [mode, account, ...more]) : Promise.resolve([]);
    const keys = anyOf.map(({ key }) => key);
    const found = [
      await ask(marked, BY_MARKS, [statementId, asJson(marked), references]),
      await ask(anyOf, BY_KEYS, [statementId, keys, ...ends(anyOf)]),
      await ask(batchKeys, BY_BATCHES, [batchKeys]),
      await ask(announced, ANNOUNCED_AROUND, ends(announced)),
      await ask(referred, REFERRED_AROUND, [...ends(referred), references]),
    ];
    return found.flat();
  }

  /** Marks lines as proven by a statement. @param settled reasons of lines that are not matched again */
  async prove(
    tx: EntityManager,
    ids: readonly string[],
    settled: readonly string[],
  ): Promise<void> {
    if (ids.length > 0) await tx.query(PROVE, [ids, settled]);
  }

  /** @param statementId that contains the lines */
  async insert(tx: EntityManager, lines: readonly BankLine[], statementId: string): Promise<void> {
    for (const rows of inRows(lines)) await tx.query(INSERT_LINES, [rows, statementId]);
  }

  async place(tx: EntityManager, places: readonly BankLinePlace[]): Promise<void> {
    for (const rows of inRows(places)) await tx.query(INSERT_PLACES, [rows]);
  }

  /** @param settled reasons of lines that are not matched again */
  async enrich(
    tx: EntityManager,
    lines: readonly EnrichedLine[],
    settled: readonly string[],
  ): Promise<void> {
    for (const rows of inRows(lines)) await tx.query(ENRICH_LINES, [rows, settled]);
  }

  /** Supersedes announced lines whose bookings are now other lines. */
  async supersedeAnnounced(tx: EntityManager, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length > 0) await tx.query(SUPERSEDE_ANNOUNCED, [ids, now]);
  }

  /**
   * Links payments to their batch total and supersedes one side: the total, or the payments if the total has moved
   * money already.
   */
  async tie(tx: EntityManager, totals: readonly TiedTotal[], now: Date): Promise<void> {
    if (totals.length === 0) return;
    const ids = totals.map(({ id }) => id);
    await tx.query(TIE, [JSON.stringify(totals)]);
    await tx.query(NAME_TOTALS, [ids]);
    const [over]: [{ id: string }[]] = await tx.query(SUPERSEDE, [ids, now]);
    const done = new Set(over.map(({ id }) => id));
    if (done.size > 0) await tx.query(FREE_PARTS, [[...done]]);
    const paying = ids.filter((id) => !done.has(id));
    if (paying.length > 0) await tx.query(SUPERSEDE_PARTS, [paying, now]);
  }

  /**
   * Reactivates the payments of a batch total whose match or return was undone. Otherwise does nothing.
   * @param id of any line; the caller holds its lock
   */
  async countParts(tx: EntityManager, id: string, now: Date): Promise<void> {
    const [parts]: [{ reason: string | null }[]] = await tx.query(COUNT_PARTS, [id]);
    if (parts.length === 0) return;
    await tx.query(SUPERSEDE, [[id], now]);
    if (parts.some(({ reason }) => reason !== null)) await tx.query(CALL_TOTAL, [id]);
  }

  /**
   * Flags possible batch totals of stored payments for an operator's decision; where an operator has processed the
   * total, flags the payments instead.
   */
  async suspect(tx: EntityManager, totals: readonly TiedTotal[]): Promise<void> {
    if (totals.length === 0) return;
    const asked = asJson(totals);
    await tx.query(LOCK_TOTALS, [asked]);
    await tx.query(SUSPECT, [asked]);
    await tx.query(SUSPECT_PARTS, [asked]);
  }

  /** Flags new payments that may be the total of known ones with their bank reference, or one of these. */
  async suspectReferences(tx: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.query(SUSPECT_REFERENCE, [ids]);
  }
}

/** Splits rows into JSON chunks of at most `ROWS_MAX`. */
function inRows(rows: readonly object[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_MAX)
    parts.push(asJson(rows.slice(at, at + ROWS_MAX)));
  return parts;
}

/** PostgreSQL rejects NUL in text. */
export const asJson = (rows: readonly object[]): string =>
  JSON.stringify(rows).replaceAll(String.raw`\u0000`, String.raw`\ufffd`);
