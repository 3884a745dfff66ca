import type { KnownLine, StoringStatement } from '../database/bank/line-store.repository.js';
import { type Batch, BatchesThere, batchesOf, TotalsThere } from './batches.js';
import { type IncomingLine, knownTelling } from './incoming-line.js';
import { recognise } from './recognition.js';
import type { Likeness } from './same-booking.js';

/** Whole entries of which it is known by now what they are. */
export interface DecidedLines {
  readonly lines: readonly IncomingLine[];
  /** Those entries that have several payments. */
  readonly batches: readonly Batch[];
  /** The booking that a line is; undefined for one that is new. */
  readonly knownAs: (line: IncomingLine) => KnownLine | undefined;
  /** Whether it may be the sum of payments that are there. */
  readonly isTotal: (line: IncomingLine) => boolean;
}

/**
 * Those lines that are surely enough a booking that is there, or that can be none. The others are left open, lest they
 * take a booking that a later line of the statement is more surely.
 * @param weakest likeness that is enough; 1 and 0 leave nothing open
 */
export function decidedLines(
  lines: readonly IncomingLine[],
  known: readonly KnownLine[],
  storing: StoringStatement,
  weakest: Likeness,
  now: Date,
): DecidedLines {
  const { statementId } = storing;
  const there = { batches: new BatchesThere(known), totals: new TotalsThere(known) };
  const singles = new Set(
    [...Map.groupBy(lines, ({ entry }) => entry).values()]
      .filter((each) => each.length === 1)
      .flat(),
  );
  const asTotal = (line: IncomingLine) =>
    singles.has(line) ? there.batches.of(line, [statementId]) : null;
  const isTotal = (line: IncomingLine): boolean => asTotal(line)?.isSure === true;
  const recognised = recognise(lines, known.map(knownTelling), storing, { weakest, isTotal });
  const knownAs = (line: IncomingLine) => recognised.known.get(line)?.line;
  const batches = batchesOf(lines, knownAs, statementId, now);
  const isOpen = (line: IncomingLine): boolean =>
    recognised.open.has(line) || (!knownAs(line) && asTotal(line)?.isSure === false);
  const openBatches = batches.filter((batch) => there.totals.of(batch)?.isSure === false);
  const open =
    weakest <= 1 ? [] : [...lines.filter(isOpen), ...openBatches.flatMap((b) => b.lines)];
  const decided = {
    lines,
    batches,
    knownAs,
    isTotal: (line: IncomingLine) => asTotal(line) !== null,
  };
  return withoutEntriesOf(decided, open);
}

/** The same without whole entries that are left open. */
export function withoutEntriesOf(
  { lines, batches, ...decided }: DecidedLines,
  open: Iterable<IncomingLine>,
): DecidedLines {
  const openEntries = new Set([...open].map(({ entry }) => entry));
  const isDecided = ({ entry }: IncomingLine): boolean => !openEntries.has(entry);
  return {
    ...decided,
    lines: lines.filter(isDecided),
    batches: batches.filter((batch) => isDecided(batch.lines[0]!)),
  };
}
