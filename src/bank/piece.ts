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
import {
  type Batch,
  BatchesThere,
  hushedOf,
  possibleTotalsOf,
  tiedOf,
  TotalsThere,
} from './batches.js';
import type { DecidedLines } from './decided-lines.js';
import { bookingOf, enriched, type IncomingLine, isMerged, toldBy } from './incoming-line.js';
import { lineKey } from './line-key.js';
import { unprovenBy } from './statement-proof.js';

/** What is written for some lines of a statement. */
export interface Plan {
  readonly inserted: readonly BankLine[];
  readonly enriched: readonly EnrichedLine[];
  readonly places: readonly BankLinePlace[];
  readonly totals: readonly TiedTotal[];
  readonly possibleTotals: readonly TiedTotal[];
  /** Announcements that say nothing more. */
  readonly hushed: readonly string[];
  /** Ids of lines that were not proven by their statements, and are by this one. */
  readonly proven: readonly string[];
}

/** What an account has of the wanted. */
export interface LinesThere {
  readonly known: readonly KnownLine[];
  readonly ordinals: readonly LastOrdinal[];
  /** Ids of bookings that lines may be, though nothing but a person can say so. */
  readonly rivals: ReadonlyMap<IncomingLine, string>;
}

/** Which of the lines are new, what they add to those that are there, and which of them are totals of others. */
export function planOf(
  { lines, batches, knownAs }: DecidedLines,
  { known: before, ordinals: last, rivals }: LinesThere,
  storing: StoringStatement,
  now: Date,
): Plan {
  const { mode, account, statementId } = storing;
  const told = new Set(lines.map(knownAs));
  const isProof = (line: IncomingLine) => unprovenBy(storing, line) === null;
  const doubtsOf = (line: IncomingLine) => ({
    unproven: unprovenBy(storing, line),
    duplicateOf: rivals.get(line) ?? null,
  });
  const known = before.map((line) =>
    told.has(line) ? { ...line, statements: [...line.statements, statementId] } : line,
  );
  const batchOf = new Map(batches.flatMap((batch) => batch.lines.map((line) => [line, batch])));
  const ordinals = new Ordinals(last);
  const idOf = idsOf(lines, knownAs, now);
  const changes = lines.flatMap((line) => {
    const there = knownAs(line);
    const batch = batchColumns(batchOf.get(line));
    const change = there && enriched(there, line, batch, doubtsOf(line), ordinals);
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
      ...doubtsOf(line),
      toldApartBy: null,
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
      const { entry, detail, status } = line;
      return { statementId, entry, detail, lineId: idOf(line), status };
    }),
    totals: tiedOf(meetings),
    possibleTotals: possibleTotalsOf(meetings),
    hushed: hushedOf(meetings),
    proven: provenBy(lines.filter(isProof), knownAs).map(idOf),
  };
}

/** The id of each line: that of the booking that it is, or a new one. */
function idsOf(
  lines: readonly IncomingLine[],
  knownAs: DecidedLines['knownAs'],
  now: Date,
): (line: IncomingLine) => string {
  const known = (line: IncomingLine) => {
    const there = knownAs(line);
    return there && bookingOf(there);
  };
  const ids = new Map(lines.map((line) => [line, known(line) ?? uuidv7(now.getTime())]));
  return (line) => ids.get(line)!;
}

/** Lines of a statement that proves them, and that the statements before did not prove. */
const provenBy = (
  lines: readonly IncomingLine[],
  knownAs: DecidedLines['knownAs'],
): IncomingLine[] =>
  lines.filter((line) => {
    const there = knownAs(line);
    return line.status === 'booked' && there && (there.unproven !== null || isMerged(there));
  });

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
