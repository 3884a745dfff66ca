import { filteredInTurn } from '../../common/loop-turns.js';
import type {
  KnownLine,
  StoringStatement,
} from '../../database/bank/lines/line-store.repository.js';
import { type Batch, KnownBatches, batchesOf, KnownTotals } from './batches.js';
import { type IncomingLine, knownBooking } from './incoming-line.js';
import { type RecognitionRules, recognise } from './recognition.js';
import { mayMove } from './rivals.js';

/** Entries whose lines are identified. */
export interface DecidedLines {
  readonly lines: readonly IncomingLine[];
  /** Entries with several payments. */
  readonly batches: readonly Batch[];
  /** Known booking of a line; undefined if the line is new. */
  readonly knownAs: (line: IncomingLine) => KnownLine | undefined;
  /** Whether the line is certainly the total of known payments. */
  readonly isTotal: (line: IncomingLine) => boolean;
}

/**
 * Lines that match a known booking with a sufficient score, or that match none. The others stay open, so that they do
 * not take a booking that a later line matches better.
 * @param rules 1 and 0 as minimum score leave nothing open
 */
export async function decidedLines(
  lines: readonly IncomingLine[],
  known: readonly KnownLine[],
  storing: StoringStatement,
  { weakest, shared, repeated }: Omit<RecognitionRules, 'isTotal'>,
  now: Date,
): Promise<DecidedLines> {
  const { statementId } = storing;
  const there = { batches: new KnownBatches(known), totals: new KnownTotals(known) };
  const singles = new Set(
    [...Map.groupBy(lines, ({ entry }) => entry).values()]
      .filter((each) => each.length === 1)
      .flat(),
  );
  const asTotal = (line: IncomingLine) =>
    singles.has(line) ? there.batches.of(line, [statementId]) : null;
  const isTotal = (line: IncomingLine): boolean => asTotal(line)?.isSure === true;
  // Lines of a statement with contradicting bookings go to an operator: they are neither dropped nor counted twice.
  const isAskedAbout = (line: KnownLine) =>
    line.statements.some((id) => storing.likelyApart.has(id)) && mayMove(line);
  const free = (await filteredInTurn(known, (line) => !isAskedAbout(line))).map(knownBooking);
  const recognised = await recognise(lines, free, storing, { weakest, isTotal, shared, repeated });
  const knownAs = (line: IncomingLine) => recognised.known.get(line)?.line;
  const batches = batchesOf(lines, knownAs, statementId, now);
  const isOpen = (line: IncomingLine): boolean =>
    recognised.open.has(line) || (!knownAs(line) && asTotal(line)?.isSure === false);
  const decided = { lines, batches, knownAs, isTotal };
  if (weakest <= 1) return decided;
  const openBatches = await filteredInTurn(
    batches,
    (batch) => there.totals.of(batch)?.isSure === false,
  );
  const open = await filteredInTurn(lines, isOpen);
  return withoutEntriesOf(decided, [...open, ...openBatches.flatMap((batch) => batch.lines)]);
}

/** Drops entries with open lines. */
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
