import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { StatementWarning } from '../../bank-statements/statement.js';
import { Clock } from '../../common/time/clock.js';
import { toMajorUnits } from '../../common/money/money.js';
import { uuidv7 } from '../../common/ids.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import type { BankFile } from '../../database/bank/files/bank-file.entity.js';
import {
  type KnownLine,
  LineStoreRepository,
  type StoringStatement,
} from '../../database/bank/lines/line-store.repository.js';
import { PossibleDuplicateRepository } from '../../database/bank/lines/possible-duplicate.repository.js';
import type { StoredStatement } from '../../database/bank/files/stored-statement.entity.js';
import { Database } from '../../database/database.js';
import type { GivenOrdinals } from './given-ordinals.js';
import type { StatementHead } from '../import/checked-file.js';
import { type DecidedLines, decidedLines, withoutEntriesOf } from './decided-lines.js';
import { bookingOf, type IncomingLine, isCsv } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { type Neighbours, neighboursOf, NO_NEIGHBOURS } from '../import/neighbours.js';
import { SETTLED_REASONS } from '../matching/line-reasons.js';
import { retryWhileUnavailable } from '../import/retry-while-unavailable.js';
import { type Plan, planOf } from './piece.js';
import { askedAbout, changedBy, rivalsWanted, sharingRivals } from './rivals.js';
import { type MatchScore, nameIn } from './same-booking.js';
import { candidateQueriesOf, ordinalKeysOf } from './candidate-query.js';

/** Lines of a statement; entries are never split. */
export interface Piece {
  readonly file: Pick<BankFile, 'id' | 'mode'>;
  /** Number of the statement in the file, from 0. */
  readonly number: number;
  readonly head: StatementHead;
  /** In the form that all formats of the account share. */
  readonly account: string;
  readonly lines: readonly IncomingLine[];
  /** Last piece of the statement, and no earlier piece has open lines. */
  readonly isLast: boolean;
  /** Ordinals that earlier pieces have matched. */
  readonly given: GivenOrdinals;
  /** Minimum match score in this pass. */
  readonly weakest: MatchScore;
}

type Warnings = readonly StatementWarning[];

export interface StoredPiece {
  readonly inserted: number;
  /** Lines that are not stored yet: see `decidedLines`. */
  readonly open: number;
  readonly warnings: Warnings;
}

interface Stored {
  readonly inserted: readonly BankLine[];
  /** Known lines as they were before. */
  readonly known: readonly BankLine[];
  readonly open: number;
}

const NOTHING: Stored = { inserted: [], known: [], open: 0 };

/** Stores each booking once, even if several files or processes store it. */
@Injectable()
export class LineStore {
  constructor(
    private readonly database: Database,
    private readonly store: LineStoreRepository,
    private readonly duplicates: PossibleDuplicateRepository,
    private readonly clock: Clock,
  ) {}

  /** Runs in one transaction. Lines that an interrupted import has stored stay unchanged. */
  async storePiece(piece: Piece): Promise<StoredPiece> {
    const { inserted, known, open, warnings } = await retryWhileUnavailable(() =>
      this.storeOnce(piece),
    );
    piece.given.add([...inserted, ...known]);
    return { inserted: inserted.length, open, warnings };
  }

  private storeOnce(piece: Piece): Promise<Stored & { readonly warnings: Warnings }> {
    const { file, number, head, account, isLast } = piece;
    const { mode } = file;
    return this.database.transaction(async (tx) => {
      const now = this.clock.now();
      await this.store.lockAccount(tx, mode, account);
      const row = { ...rowOf(file, number, head, account), createdAt: now };
      const statementId = await this.store.insertStatement(tx, row);
      const stored = await this.storeLines(tx, { mode, account, statementId }, piece, now);
      if (!isLast || stored.open > 0) return { ...stored, warnings: [] };
      const warnings = await this.gapBefore(tx, statementId, head, account);
      await this.store.cover(tx, statementId, head);
      return { ...stored, warnings };
    });
  }

  private async storeLines(
    tx: EntityManager,
    statement: { mode: BankFile['mode']; account: string; statementId: string },
    piece: Piece,
    now: Date,
  ): Promise<Stored> {
    const { head, lines, given, weakest } = piece;
    if (lines.length === 0) return NOTHING;
    const { statementId } = statement;
    const left = await this.linesLeft(tx, statementId, lines);
    if (left.length === 0) return NOTHING;
    const { format, balanced, unproven, reread } = head;
    const neighbours = await this.neighbours(tx, statementId, head);
    const storing = { ...statement, ...neighbours, format, balanced, unproven, reread };
    const crowded = await this.crowded(tx, storing, left);
    const compared = left.filter((line) => !crowded.has(line));
    const known = await this.store.known(tx, storing, candidateQueriesOf(compared, given));
    const ordinals = await this.store.lastOrdinals(tx, storing, ordinalKeysOf(left));
    const { shared, repeated } = head;
    const likely = await decidedLines(left, known, storing, { weakest, shared, repeated }, now);
    const likelyCompared = { ...likely, lines: likely.lines.filter((line) => !crowded.has(line)) };
    const found = await this.rivalsOf(tx, likelyCompared, known, storing, piece);
    const unknown = [...crowded].filter(([line]) => !likely.knownAs(line));
    const rivals = new Map([...found, ...unknown]);
    const decided = weakest > 0 ? withoutEntriesOf(likely, rivals.keys()) : likely;
    const plan = await planOf(decided, { known, ordinals, rivals }, storing, now);
    await this.write(tx, plan, statementId, now);
    const ids = plan.places.map(({ lineId }) => lineId);
    // Unproven rows of CSV may be forged, so CSV settles no possible duplicates.
    const settles = balanced && !isCsv(format);
    const settled = settles ? await this.duplicates.settle(tx, storing, ids) : [];
    const { renamed, whole } = changedBy(plan, known);
    await this.duplicates.recheck(tx, storing, { renamed, whole: [...settled, ...whole] });
    const matched = decided.lines.flatMap((line) => decided.knownAs(line) ?? []);
    return { inserted: plan.inserted, known: matched, open: left.length - decided.lines.length };
  }

  private async neighbours(
    tx: EntityManager,
    id: string,
    { balanced, sequence, openingBalance, closingBalance, bookedFrom, bookedUntil }: StatementHead,
  ): Promise<Neighbours> {
    const isBetween = openingBalance !== null && closingBalance !== null;
    if (!balanced || !isBetween || bookedFrom === null || bookedUntil === null)
      return NO_NEIGHBOURS;
    const balances = {
      openingBalance: Number(openingBalance),
      closingBalance: Number(closingBalance),
    };
    const own = { id, sequence, ...balances, bookedFrom, bookedUntil };
    return neighboursOf(own, await this.store.near(tx, own));
  }

  /** Lines that an interrupted import has not stored. */
  private async linesLeft(
    tx: EntityManager,
    statementId: string,
    lines: readonly IncomingLine[],
  ): Promise<IncomingLine[]> {
    const [from, to] = [lines[0]!.entry, lines.at(-1)!.entry];
    const placed = await this.store.places(tx, statementId, from, to);
    const there = new Set(placed.map(({ entry, detail }) => `${entry} ${detail}`));
    return lines.filter(({ entry, detail }) => !there.has(`${entry} ${detail}`));
  }

  /** For a statement with too many neighbours: its lines with many equal stored lines, each with one of these. */
  private async crowded(
    tx: EntityManager,
    storing: StoringStatement,
    lines: readonly IncomingLine[],
  ): Promise<Map<IncomingLine, string>> {
    const booked = storing.isCut ? lines.filter(({ status }) => status === 'booked') : [];
    if (booked.length === 0) return new Map();
    const keys = booked.map((line) => lineKey(line));
    const found = await this.duplicates.crowded(tx, storing, keys);
    return new Map(
      booked.flatMap((line): [IncomingLine, string][] => {
        const id = found.get(lineKey(line));
        return id === undefined ? [] : [[line, id]];
      }),
    );
  }

  /** Bookings that lines may duplicate; only an operator can decide. */
  private async rivalsOf(
    tx: EntityManager,
    decided: DecidedLines,
    known: readonly KnownLine[],
    storing: StoringStatement,
    { given, weakest }: Piece,
  ): Promise<Map<IncomingLine, string>> {
    const asked = askedAbout(decided);
    const keys = [...new Set(asked.map((line) => lineKey(line)))];
    // An announcement of a known booking proves nothing about a booked line that may be the same.
    const booked = decided.lines.filter(({ status }) => status === 'booked');
    const taken = new Set(booked.flatMap((line) => decided.knownAs(line) ?? []).map(bookingOf));
    const wanted = rivalsWanted(asked, storing);
    const others = given.others(keys);
    const isLate = weakest === 0;
    const name = nameIn(storing.format);
    const found = await this.duplicates.rivals(tx, storing, {
      wanted,
      name,
      own: others,
      taken: [...taken],
      isLate,
    });
    const free = known.filter(({ id }) => !taken.has(id));
    return new Map([
      ...sharingRivals(asked, free, storing),
      ...[...found].map(([n, id]) => [asked[n]!, id] as const),
    ]);
  }

  private async write(
    tx: EntityManager,
    plan: Plan,
    statementId: string,
    now: Date,
  ): Promise<void> {
    await this.store.enrich(tx, plan.enriched, SETTLED_REASONS);
    await this.store.insert(tx, plan.inserted, statementId);
    await this.store.place(tx, plan.places);
    await this.store.prove(tx, plan.proven, SETTLED_REASONS);
    await this.store.tie(tx, plan.totals, now);
    await this.store.suspect(tx, plan.possibleTotals);
    await this.store.supersedeAnnounced(tx, plan.suppressed, now);
    await this.store.suspectReferences(tx, plan.booked);
  }

  /** Whether a statement is missing before this one. */
  private async gapBefore(
    tx: EntityManager,
    id: string,
    head: StatementHead,
    account: string,
  ): Promise<StatementWarning[]> {
    if (head.coversFrom === null || head.openingBalance === null) return [];
    const before = await this.store.before(tx, id, head);
    if (!before || before.closingBalance === null) return [];
    const opening = Number(head.openingBalance);
    const follows = opening === before.closingBalance;
    if (follows && !isSkipped(before.sequence, head.sequence)) return [];
    const money = (amount: number) =>
      head.currency === null
        ? String(amount)
        : `${toMajorUnits(amount, head.currency)} ${head.currency}`;
    const detail =
      `The statement of ${account} from ${head.coversFrom} begins with ${money(opening)}` +
      ` (number ${head.sequence ?? 'unknown'}); the one before, until ${before.coversUntil}, ends with` +
      ` ${money(before.closingBalance)} (number ${before.sequence ?? 'unknown'}): is one missing?`;
    return [{ code: 'gap', detail }];
  }
}

/** Whether statement numbers are skipped. Numbers restart each year. */
function isSkipped(before: string | null, after: string | null): boolean {
  const [one, other] = [before, after].map((text) => Number(/^\d+/.exec(text ?? '')?.[0] ?? 'NaN'));
  return other! > one! + 1;
}

const rowOf = (
  { id, mode }: Piece['file'],
  number: number,
  head: StatementHead,
  account: string,
): Omit<StoredStatement, 'createdAt'> => ({
  id: uuidv7(Date.now()),
  mode,
  fileId: id,
  number,
  format: head.format,
  statementId: head.id,
  sequence: head.sequence,
  account,
  currency: head.currency,
  openingBalance: head.openingBalance === null ? null : Number(head.openingBalance),
  closingBalance: head.closingBalance === null ? null : Number(head.closingBalance),
  balanced: head.balanced,
  coversFrom: null,
  coversUntil: null,
  bookedFrom: head.bookedFrom,
  bookedUntil: head.bookedUntil,
});
