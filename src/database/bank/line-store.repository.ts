import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import type { BankLinePlace } from './bank-line-place.entity.js';
import type { BankLine, LineState } from './bank-line.entity.js';
import {
  ANNOUNCED_AROUND,
  APART,
  BEFORE,
  BY_BATCHES,
  BY_KEYS,
  BY_MARKS,
  COVER_DAYS,
  type ENRICHED,
  ENRICH_LINES,
  HUSH,
  INSERT_LINES,
  INSERT_PLACES,
  INSERT_STATEMENT,
  LAST_ORDINALS,
  LOCK_ACCOUNT,
  LOCK_TOTALS,
  NAME_TOTALS,
  PLACES_BETWEEN,
  PROVE,
  REFERRED_AROUND,
  SUPERSEDE,
  SUPERSEDE_PARTS,
  SUSPECT,
  SUSPECT_PARTS,
  TIE,
} from './line-store.statements.js';
export { ORDINAL_MAX, SHORT_END_TO_END_ID, SHORT_REFERENCE } from './line-store.statements.js';
import type { StoredStatement } from './stored-statement.entity.js';

/** A line that is there. */
export type KnownLine = BankLine & {
  /** Those that told of it before. */
  readonly statements: readonly string[];
};

/** Of bookings that have the same key. */
export type LastOrdinal = Pick<BankLine, 'key' | 'ordinal'>;

/** Whose lines are stored, and by which statement. */
export interface StoringStatement {
  readonly mode: Mode;
  readonly account: string;
  readonly statementId: string;
  /** Statements that have other bookings. */
  readonly apart: readonly string[];
  /** Of its text, such as `camt.053.001.08`. */
  readonly format: string;
  /** Whether its balances prove what it tells; null where they cannot. */
  readonly balanced: boolean | null;
}

export interface WantedLines {
  readonly keys: readonly string[];
  readonly batchKeys: readonly string[];
  readonly marked: readonly MarkedLines[];
  /** Lines with these keys, whatever marks they have, that the statement has not told of. */
  readonly anyOf: readonly OrdinalRange[];
  /** Keys from and to, within which announcements may be meant, whatever marks they have. */
  readonly announced: readonly KeyRange[];
  /** The same for any line, if it has one of the references. */
  readonly referred: readonly KeyRange[];
  /** `transactionId`, `uetr` and `instructionId`. */
  readonly references: readonly string[];
}

/** What tells lines of equal money apart: a reference that they have, or those that they have not. */
export interface Mark {
  readonly of: 'bank' | 'payer';
  /**
   * `=` and the reference of the bank, or the payer's end-to-end id, cut as it is in the index. Empty for lines without
   * one of `payer`; for those without one of `bank` if they have no end-to-end id either, and `-` if they do.
   */
  readonly mark: string;
}

/** Lines with a mark from one key and ordinal to another, in the order of keys. */
export interface MarkedLines extends Mark, KeyRange {
  readonly first: number;
  readonly last: number;
  /** Only announcements, or only lines with one of `WantedLines.references` if the mark is no reference. */
  readonly among: 'all' | 'announced' | 'referred';
}

/** Lines of one key, from one ordinal to another; both are among them. */
export interface OrdinalRange {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

export interface KeyRange {
  readonly low: string;
  readonly high: string;
}

/** What a file adds to a line; `booked` is its new state when it was announced, or ignored, before. */
export type EnrichedLine = Pick<BankLine, 'id' | (typeof ENRICHED)[number]> & {
  readonly booked: LineState | null;
};

/** A total, and the payments that it comes to. */
export interface TiedTotal {
  readonly id: string;
  readonly batch: string;
}

export type StatementBefore = Pick<StoredStatement, 'sequence' | 'coversUntil' | 'closingBalance'>;

/** Rows that one statement writes: it has to end within its limit of time. */
const ROWS_MAX = 500;

/** Writes statements and their lines. Each call needs the account's lock. */
@Injectable()
export class LineStoreRepository {
  /** Whoever stores lines of an account comes after others who do so, until the transaction ends. */
  async lockAccount(tx: EntityManager, mode: Mode, account: string): Promise<void> {
    await tx.query(LOCK_ACCOUNT, [mode, account]);
  }

  /** @returns the id of the statement, which an import that was cut off may have stored before */
  async insertStatement(tx: EntityManager, statement: StoredStatement): Promise<string> {
    const [{ id }] = await tx.query<[{ id: string }]>(INSERT_STATEMENT, [
      JSON.stringify(statement),
    ]);
    return id;
  }

  /** The statement is there with all its lines: from now on it says that there are no others. */
  async cover(
    tx: EntityManager,
    id: string,
    { coversFrom, coversUntil }: Pick<StoredStatement, 'coversFrom' | 'coversUntil'>,
  ): Promise<void> {
    await tx.query(COVER_DAYS, [id, coversFrom, coversUntil]);
  }

  /** Statements of the account that have other bookings than this one, as the balances prove. */
  async apart(
    tx: EntityManager,
    id: string,
    { bookedFrom, bookedUntil }: Pick<StoredStatement, 'bookedFrom' | 'bookedUntil'>,
  ): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(APART, [id, bookedFrom, bookedUntil]);
    return rows.map((row) => row.id);
  }

  /** The last statement before this one; null when it is the first. */
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

  /** The highest ordinal of each key that there is. */
  lastOrdinals(
    tx: EntityManager,
    { mode, account }: StoringStatement,
    { keys }: WantedLines,
  ): Promise<LastOrdinal[]> {
    return tx.query(LAST_ORDINALS, [mode, account, keys]);
  }

  /** Every line that one of the wanted could be, each once. */
  async known(
    tx: EntityManager,
    { mode, account, statementId }: StoringStatement,
    wanted: WantedLines,
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
    return [...new Map(found.flat().map((line) => [line.id, line])).values()];
  }

  /** @param settled reasons of lines at which no rule looks again */
  async prove(
    tx: EntityManager,
    ids: readonly string[],
    settled: readonly string[],
  ): Promise<void> {
    if (ids.length > 0) await tx.query(PROVE, [ids, settled]);
  }

  async insert(tx: EntityManager, lines: readonly BankLine[]): Promise<void> {
    for (const rows of inRows(lines)) await tx.query(INSERT_LINES, [rows]);
  }

  async place(tx: EntityManager, places: readonly BankLinePlace[]): Promise<void> {
    for (const rows of inRows(places)) await tx.query(INSERT_PLACES, [rows]);
  }

  /** @param settled reasons of lines at which no rule looks again */
  async enrich(
    tx: EntityManager,
    lines: readonly EnrichedLine[],
    settled: readonly string[],
  ): Promise<void> {
    for (const rows of inRows(lines)) await tx.query(ENRICH_LINES, [rows, settled]);
  }

  /** What was announced is told by other lines now. */
  async hush(tx: EntityManager, ids: readonly string[], now: Date): Promise<void> {
    if (ids.length > 0) await tx.query(HUSH, [ids, now]);
  }

  /** The payments of a total count, or the total, if it has moved money already. */
  async tie(tx: EntityManager, totals: readonly TiedTotal[], now: Date): Promise<void> {
    if (totals.length === 0) return;
    const ids = totals.map(({ id }) => id);
    await tx.query(TIE, [JSON.stringify(totals)]);
    await tx.query(NAME_TOTALS, [ids]);
    const [over]: [{ id: string }[]] = await tx.query(SUPERSEDE, [ids, now]);
    const done = new Set(over.map(({ id }) => id));
    const paying = ids.filter((id) => !done.has(id));
    if (paying.length > 0) await tx.query(SUPERSEDE_PARTS, [paying, now]);
  }

  /**
   * Lines that may be totals of payments that are there wait for a person to say so; where somebody has dealt with one,
   * the payments do.
   */
  async suspect(tx: EntityManager, totals: readonly TiedTotal[]): Promise<void> {
    if (totals.length === 0) return;
    const asked = asJson(totals);
    await tx.query(LOCK_TOTALS, [asked]);
    await tx.query(SUSPECT, [asked]);
    await tx.query(SUSPECT_PARTS, [asked]);
  }
}

/** Some at a time. */
function inRows(rows: readonly object[]): string[] {
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += ROWS_MAX)
    parts.push(asJson(rows.slice(at, at + ROWS_MAX)));
  return parts;
}

/** The database takes no text with NUL. */
export const asJson = (rows: readonly object[]): string =>
  JSON.stringify(rows).replaceAll(String.raw`\u0000`, String.raw`\ufffd`);
