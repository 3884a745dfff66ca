import { uuidv7 } from '../common/ids.js';
import type { BankLinePlace } from '../database/bank/bank-line-place.entity.js';
import type { BankLine } from '../database/bank/bank-line.entity.js';
import {
  type Distinction,
  SHORT_REFERENCE,
  type EnrichedLine,
  type KeyRange,
  type KnownLine,
  type LastOrdinal,
  type StoringStatement,
  type TiedTotal,
  type WantedLines,
} from '../database/bank/line-store.repository.js';
import { type Batch, BatchesThere, batchKeysOf, hushedOf, tiedOf, TotalsThere } from './batches.js';
import { decidedLines } from './decided-lines.js';
import type { GivenOrdinals } from './given-ordinals.js';
import { enriched, type IncomingLine, toldBy } from './incoming-line.js';
import { keysAround, lineKey, undatedKey } from './line-key.js';
import { bankReferencesOf, type Likeness } from './same-booking.js';

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

/** What has to be read before some lines can be recognised. */
export function wantedBy(
  lines: readonly IncomingLine[],
  format: string,
  given: GivenOrdinals,
): WantedLines {
  const batchKeys = batchKeysOf(lines);
  const far = lines.filter((line) => hasUncertainDay(line, format));
  const references = far.flatMap((line) => [
    ...bankReferencesOf(line),
    line.endToEndId,
    line.identifiers['transactionId'],
    line.identifiers['instructionId'],
    line.identifiers['uetr'],
  ]);
  const byKey = linesByKey(lines);
  const keys = each([...byKey.keys(), ...batchKeys]);
  const singles = new Map([...byKey].filter(([key]) => !batchKeys.includes(key)));
  return {
    keys,
    elsewhere: given.others(keys),
    bankReferences: distinction(singles, (line) =>
      bankReferencesOf(line).map((reference) => [...reference].slice(0, SHORT_REFERENCE).join('')),
    ),
    endToEndIds: distinction(singles, ({ endToEndId }) => endToEndId ?? []),
    batchKeys: each(lines.map((line) => lineKey(line))),
    announced: ranges(lines.filter(({ status }) => status === 'booked')),
    referred: ranges(far),
    references: each(references.flatMap((reference) => reference ?? [])),
  };
}

/** A booking is found by its money and day, or without the day. */
function linesByKey(lines: readonly IncomingLine[]): Map<string, IncomingLine[]> {
  const found = new Map<string, IncomingLine[]>();
  for (const line of lines) {
    for (const key of new Set([lineKey(line), undatedKey(line)])) {
      const others = found.get(key);
      if (others) others.push(line);
      else found.set(key, [line]);
    }
  }
  return found;
}

/** @param valuesOf of a line; two lines that have some and share none are two bookings */
function distinction(
  byKey: ReadonlyMap<string, readonly IncomingLine[]>,
  valuesOf: (line: IncomingLine) => string | readonly string[],
): Distinction {
  const distinct = [...byKey].filter(([, lines]) =>
    lines.every((line) => valuesOf(line).length > 0),
  );
  return {
    keys: distinct.map(([key]) => key),
    values: each(distinct.flatMap(([, lines]) => lines.flatMap(valuesOf))),
  };
}

const each = (texts: readonly string[]): string[] => [...new Set(texts)];

const ranges = (lines: readonly IncomingLine[]): KeyRange[] => [
  ...new Map(lines.map((line) => [lineKey(line), keysAround(line)])).values(),
];

/** An announcement is booked on another day, and MT940 may have the day of value in the place of that of the booking. */
const hasUncertainDay = ({ status, bookedOn, valuedOn }: IncomingLine, format: string): boolean =>
  status === 'announced' || bookedOn === null || (format.startsWith('mt') && bookedOn === valuedOn);

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
