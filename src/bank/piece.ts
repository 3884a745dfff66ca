import { uuidv7 } from '../common/ids.js';
import type { BankLinePlace } from '../database/bank/bank-line-place.entity.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import type {
  EnrichedLine,
  KnownLine,
  LastOrdinal,
  StoringStatement,
  TiedTotal,
} from '../database/bank/line-store.repository.js';
import { type Batch, BatchesThere, hushedOf, tiedOf, TotalsThere } from './batches.js';
import { decidedLines } from './decided-lines.js';
import { enriched, type IncomingLine, toldBy } from './incoming-line.js';
import { lineKey } from './line-key.js';
import type { Likeness } from './same-booking.js';

/** What is written for some lines of a statement. */
export interface Plan {
  readonly inserted: readonly BankLine[];
  readonly enriched: readonly EnrichedLine[];
  readonly places: readonly BankLinePlace[];
  readonly totals: readonly TiedTotal[];
  /** Announcements that say nothing more. */
  readonly hushed: readonly string[];
  /** Lines of which nothing is written, because they could be bookings that other lines are more surely. */
  readonly open: number;
}

/** What an account has of the wanted. */
export interface LinesThere {
  readonly known: readonly KnownLine[];
  readonly ordinals: readonly LastOrdinal[];
}

/**
 * Which of the lines are new, what they add to those that are there, and which of them are totals of others.
 * @param weakest likeness that is enough by now; 1 leaves nothing open
 */
export function planOf(
  all: readonly IncomingLine[],
  { known: before, ordinals: last }: LinesThere,
  storing: StoringStatement,
  weakest: Likeness,
  now: Date,
): Plan {
  const { mode, account, statementId } = storing;
  const { lines, batches, knownAs } = decidedLines(all, before, storing, weakest, now);
  const told = new Set(lines.map(knownAs));
  const known = before.map((line) =>
    told.has(line) ? { ...line, statements: [...line.statements, statementId] } : line,
  );
  const batchOf = new Map(batches.flatMap((batch) => batch.lines.map((line) => [line, batch])));
  const ordinals = new Ordinals(last);
  const ids = new Map(lines.map((line) => [line, knownAs(line)?.id ?? uuidv7(now.getTime())]));
  const idOf = (line: IncomingLine) => ids.get(line)!;
  const changes = lines.flatMap((line) => {
    const there = knownAs(line);
    const change = there && enriched(there, line, batchColumns(batchOf.get(line)), ordinals);
    return change ? [{ line, change }] : [];
  });
  const added = lines.filter((line) => !knownAs(line));
  const there = { batches: new BatchesThere(known), totals: new TotalsThere(known) };
  const booked = changes.filter(({ change }) => change.booked).map(({ line }) => line);
  const singles = [...added, ...booked].filter((line) => !batchOf.has(line));
  const meetings = [
    ...batches.flatMap((batch) => there.totals.meeting(batch, idOf) ?? []),
    ...singles.flatMap((line) => {
      const statements = [statementId, ...(knownAs(line)?.statements ?? [])];
      return there.batches.meeting(line, idOf(line), statements) ?? [];
    }),
  ];
  return {
    inserted: added.map((line) => ({
      ...toldBy(line),
      ...batchColumns(batchOf.get(line)),
      id: idOf(line),
      mode,
      account,
      ordinal: ordinals.next(lineKey(line)),
      reason: null,
      parentId: null,
      createdAt: now,
      lookedAt: line.status === 'announced' ? now : null,
    })),
    enriched: changes.map(({ change }) => change),
    places: lines.map((line) => {
      return { statementId, entry: line.entry, detail: line.detail, lineId: idOf(line) };
    }),
    totals: tiedOf(meetings),
    hushed: hushedOf(meetings),
    open: all.length - lines.length,
  };
}

const batchColumns = (batch: Batch | undefined) =>
  batch && batch.key !== null ? { batchId: batch.id, batchKey: batch.key } : undefined;

/** The numbers that come after those of equal bookings. */
class Ordinals {
  private readonly last: Map<string, number>;

  constructor(last: readonly LastOrdinal[]) {
    this.last = new Map(last.map(({ key, ordinal }) => [key, ordinal]));
  }

  next(key: string): number {
    const ordinal = (this.last.get(key) ?? -1) + 1;
    this.last.set(key, ordinal);
    return ordinal;
  }
}
