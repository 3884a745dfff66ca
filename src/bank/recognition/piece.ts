import { eachInTurn } from '../../common/loop-turns.js';
import { uuidv7 } from '../../common/ids.js';
import type { BankLinePlace } from '../../database/bank/lines/bank-line-place.entity.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import type {
  EnrichedLine,
  KnownLine,
  LastOrdinal,
  StoringStatement,
  TiedTotal,
} from '../../database/bank/lines/line-store.repository.js';
import {
  type BatchMatch,
  possibleTotalsOf,
  suppressedOf,
  surestFirst,
  tiedOf,
} from './batch-matches.js';
import { type Batch, KnownBatches, KnownTotals } from './batches.js';
import { inNamelessOrder } from './nameless-order.js';
import type { DecidedLines } from './decided-lines.js';
import {
  bookingOf,
  enriched,
  type IncomingLine,
  isMerged,
  reportedColumns,
} from './incoming-line.js';
import { lineKey } from './line-key.js';
import { unprovenBy } from '../import/statement-proof.js';

/** Changes to write for some lines of a statement. */
export interface Plan {
  readonly inserted: readonly BankLine[];
  readonly enriched: readonly EnrichedLine[];
  readonly places: readonly BankLinePlace[];
  readonly totals: readonly TiedTotal[];
  readonly possibleTotals: readonly TiedTotal[];
  /** Announcements that became redundant. */
  readonly suppressed: readonly string[];
  /** Ids of lines that no earlier file has booked. */
  readonly booked: readonly string[];
  /** Ids of lines that this statement proves and earlier ones did not. */
  readonly proven: readonly string[];
}

/** Stored lines of the account that the query returned. */
export interface KnownLines {
  readonly known: readonly KnownLine[];
  readonly ordinals: readonly LastOrdinal[];
  /** Ids of bookings that lines may duplicate; only an operator can decide. */
  readonly rivals: ReadonlyMap<IncomingLine, string>;
}

/** Decides which lines are new, which update known ones, and which are batch totals. */
export async function planOf(
  { lines, batches, knownAs }: DecidedLines,
  { known: before, ordinals: last, rivals }: KnownLines,
  storing: StoringStatement,
  now: Date,
): Promise<Plan> {
  const { mode, account, statementId } = storing;
  const matched = new Set(lines.map(knownAs));
  const isProof = (line: IncomingLine) => unprovenBy(storing, line, now) === null;
  const doubtsOf = (line: IncomingLine) => ({
    unproven: unprovenBy(storing, line, now),
    duplicateOf: rivals.get(line) ?? possibleTotalOf(knownAs(line)),
  });
  const known = before.map((line) =>
    matched.has(line) ? { ...line, statements: [...line.statements, statementId] } : line,
  );
  const batchOf = new Map(batches.flatMap((batch) => batch.lines.map((line) => [line, batch])));
  const ordinals = new Ordinals(last);
  const idOf = idsOf(lines, knownAs, now);
  const changed = await eachInTurn(lines, (line) => {
    const there = knownAs(line);
    const batch = batchColumns(batchOf.get(line));
    const change = there && enriched(there, line, batch, doubtsOf(line), ordinals);
    return change ? [{ line, change }] : [];
  });
  const changes = changed.flat();
  const added = lines.filter((line) => !knownAs(line));
  const booked = changes.filter(({ change }) => change.booked).map(({ line }) => line);
  const singles = [...added, ...booked].filter((line) => !batchOf.has(line));
  const partOf = (line: IncomingLine) => ({
    id: idOf(line),
    status:
      isBooked(line) || isBooked(knownAs(line)) ? ('booked' as const) : ('announced' as const),
  });
  const maybeTotals = (await inNamelessOrder(singles)).map((line) => ({
    line,
    id: idOf(line),
    statements: [statementId, ...(knownAs(line)?.statements ?? [])],
  }));
  const matches = await matchesOf(known, batches, partOf, maybeTotals);
  return {
    inserted: added.map((line) => ({
      ...reportedColumns(line),
      ...doubtsOf(line),
      markedDistinctBy: null,
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
    totals: tiedOf(matches),
    possibleTotals: possibleTotalsOf(matches),
    suppressed: suppressedOf(matches),
    booked: [...added.filter(isBooked), ...booked].map(idOf),
    proven: provenBy(lines.filter(isProof), knownAs).map(idOf),
  };
}

interface MaybeTotalLine {
  readonly line: IncomingLine;
  readonly id: string;
  readonly statements: readonly string[];
}

/** Totals of the batches, and batches of the lines that may be totals. */
async function matchesOf(
  known: readonly KnownLine[],
  batches: readonly Batch[],
  partOf: (line: IncomingLine) => BatchMatch['parts'][number],
  lines: readonly MaybeTotalLine[],
): Promise<BatchMatch[]> {
  const there = { batches: new KnownBatches(known), totals: new KnownTotals(known) };
  const totals = await surestFirst(batches, (batch, wanted) =>
    there.totals.meeting(batch, partOf, wanted),
  );
  const parts = await surestFirst(lines, ({ line, id, statements }, wanted) =>
    there.batches.meeting(line, id, statements, wanted),
  );
  const paid = await eachInTurn(batches, (batch) => there.totals.paid(batch, partOf));
  return [...totals, ...parts, ...paid.flat()];
}

/** The total that an announced payment may be part of. */
const possibleTotalOf = (line: KnownLine | undefined): string | null =>
  line?.status === 'announced' && line.batchKey !== null ? line.duplicateOf : null;

const isBooked = (line: Pick<KnownLine, 'status'> | undefined): boolean =>
  line?.status === 'booked';

/** Id per line: that of its known booking, or a new one. */
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

/** Lines that this statement proves and earlier ones did not. */
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

/** Next ordinals per key. */
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
