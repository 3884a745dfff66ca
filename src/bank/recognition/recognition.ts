import { LoopTurns } from '../../common/loop-turns.js';
import type { StoringStatement } from '../../database/bank/lines/line-store.repository.js';
import { batchedIn } from './batches.js';
import type { IncomingLine, KnownBooking } from './incoming-line.js';
import type { MatchScore } from './same-booking.js';
import { BY_REFERENCE, CandidateIndex } from './candidate-index.js';

/**
 * Match scores, the surest first. Of several bookings with one reference, each line first takes one with its own payer
 * account and orders: the bank may show them in one file only.
 */
const PASSES: readonly (readonly [wanted: MatchScore, isExact: boolean])[] = [
  [4, true],
  [4, false],
  [3, true],
  [3, false],
  [2, false],
  [1, false],
];

export interface RecognitionRules {
  /** Matches below this score stay open. */
  readonly weakest: MatchScore;
  /** Whether a line is certainly the total of known payments. */
  readonly isTotal: (line: IncomingLine) => boolean;
}

/** Known bookings among the lines of a statement. */
export interface Recognised {
  readonly known: ReadonlyMap<IncomingLine, KnownBooking>;
  /** Lines that match a known booking with a score below the minimum. */
  readonly open: ReadonlySet<IncomingLine>;
}

/**
 * Matches lines of a file to known bookings, the surest first. Each booking is matched at most once, so that equal
 * bookings stay as many as the statement has. Excludes bookings that the same statement already contains, and booked
 * lines of other statements in the same file.
 */
export async function recognise(
  lines: readonly IncomingLine[],
  known: readonly KnownBooking[],
  { statementId, apart, format }: Pick<StoringStatement, 'statementId' | 'apart' | 'format'>,
  { weakest, isTotal }: RecognitionRules,
): Promise<Recognised> {
  const parts = batchedIn(lines);
  const turns = new LoopTurns();
  const others = new Set(apart);
  const free = known.filter(
    ({ line: { status, statements } }) =>
      !statements.some((id) => id === statementId || (status === 'booked' && others.has(id))),
  );
  const candidates = new CandidateIndex(free, lines, format, (line) => parts.has(line), turns);
  const found = new Map<IncomingLine, KnownBooking>();
  const open = new Set<IncomingLine>();
  for (const [wanted, isExact] of PASSES) {
    for (const line of lines) {
      await turns.pause();
      if (found.has(line) || (wanted < BY_REFERENCE && isTotal(line))) continue;
      if (wanted >= weakest) {
        const booking = await candidates.take(line, wanted, isExact);
        if (booking) found.set(line, booking);
      } else if (await candidates.find(line, wanted, isExact)) open.add(line);
    }
  }
  return { known: found, open };
}
