import { LoopTurns } from '../../common/loop-turns.js';
import type { StoringStatement } from '../../database/bank/lines/line-store.repository.js';
import { batchedIn } from './batches.js';
import type { IncomingLine, KnownBooking } from './incoming-line.js';
import type { MatchScore } from './same-booking.js';
import type { RepeatedStatements } from './repeated-statements.js';
import type { SharedReferences } from './shared-references.js';
import { type Among, BY_REFERENCE, CandidateIndex, type Pass } from './candidate-index.js';

/** Match scores, the surest first. */
const BY_NAME = [4, 3] as const;
const BY_CONTENT = [2, 1] as const;

/**
 * Booked lines come first, and take booked lines before announced ones: an announcement may be of the same booking, or
 * of one that never comes. Of several bookings with one reference, each line first takes one with its own payer account
 * and orders: the bank may show them in one file only.
 */
const passesAmong = (...among: readonly Among[]): readonly Pass[] => [
  ...BY_NAME.flatMap((wanted) =>
    among.flatMap((status) => [true, false].map((isExact) => ({ wanted, status, isExact }))),
  ),
  ...BY_CONTENT.flatMap((wanted) => among.map((status) => ({ wanted, status, isExact: false }))),
];
const PASSES = {
  booked: passesAmong('booked', 'announced'),
  announced: passesAmong('any'),
} as const;

export interface RecognitionRules {
  /** Matches below this score stay open. */
  readonly weakest: MatchScore;
  /** Whether a line is certainly the total of known payments. */
  readonly isTotal: (line: IncomingLine) => boolean;
  readonly shared: SharedReferences;
  readonly repeated: RepeatedStatements;
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
  { weakest, isTotal, shared, repeated }: RecognitionRules,
): Promise<Recognised> {
  const parts = batchedIn(lines);
  const turns = new LoopTurns();
  const others = new Set(apart);
  const free = known.filter(
    ({ line: { status, statements } }) =>
      !statements.some((id) => id === statementId || (status === 'booked' && others.has(id))),
  );
  const isPart = (line: IncomingLine): boolean => parts.has(line);
  repeated.add(lines, free);
  const candidates = new CandidateIndex(free, shared, format, isPart, repeated, turns);
  const found = new Map<IncomingLine, KnownBooking>();
  const open = new Set<IncomingLine>();
  for (const status of ['booked', 'announced'] as const) {
    const some = lines.filter((line) => line.status === status);
    for (const pass of some.length > 0 ? PASSES[status] : []) {
      for (const line of some) {
        await turns.pause();
        if (found.has(line) || (pass.wanted < BY_REFERENCE && isTotal(line))) continue;
        if (pass.wanted >= weakest) {
          const booking = await candidates.take(line, pass);
          if (booking) found.set(line, booking);
        } else if (await candidates.find(line, pass)) open.add(line);
      }
    }
  }
  return { known: found, open };
}
