import {
  type KnownLine,
  type StoringStatement,
} from '../../database/bank/lines/line-store.repository.js';
import {
  NO_NAME,
  type WantedRival,
} from '../../database/bank/lines/possible-duplicate.repository.js';
import type { DecidedLines } from './decided-lines.js';
import { type IncomingLine, isBookedBy, isMerged, knownBooking } from './incoming-line.js';
import { dayOf, undatedKey } from './line-key.js';
import type { Plan } from './piece.js';
import { sureReferences } from '../matching/reference-clues.js';
import {
  bankReferencesOf,
  DOUBTFUL,
  DOUBTFUL_ACCOUNT,
  isSameByBank,
  mayBeSame,
  nameIn,
  namedReferenceOf,
  type BookingIdentity,
} from './same-booking.js';
import { listedAs, lookedUpAs } from './truncated-references.js';

/**
 * Lines that would pay or take back automatically, but may duplicate a known booking, because only texts of payers
 * differ. Other outgoing money carries our own references.
 */
export const askedAbout = ({ lines, knownAs, isTotal }: DecidedLines): IncomingLine[] =>
  lines.filter((line) => {
    const known = knownAs(line);
    return mayMove(line) && !isTotal(line) && (!known || isBookedBy(known, line));
  });

/** Known lines to which a file has added texts, so that they may be other bookings: see `recheck`. */
export function changedBy(plan: Pick<Plan, 'enriched'>, known: readonly KnownLine[]) {
  const before = new Map(known.map((line) => [line.id, line]));
  const changed = plan.enriched.flatMap((line) => {
    const was = before.get(line.id)!;
    const isRenamed =
      was.namedReference !== line.namedReference ||
      was.endToEndId !== line.endToEndId ||
      was.identifiers['uetr'] !== line.identifiers['uetr'] ||
      was.identifiers['transactionId'] !== line.identifiers['transactionId'];
    const isMoving = mayMove({ ...was, ...line }) && !mayMove(was);
    return isRenamed || isMoving ? [{ id: line.id, isMoving }] : [];
  });
  const [whole, renamed] = [true, false].map((isMoving) =>
    changed.flatMap((line) => (line.isMoving === isMoving ? line.id : [])),
  );
  return { whole: whole!, renamed: renamed! };
}

type Mover = Pick<
  KnownLine,
  'status' | 'direction' | 'kind' | 'references' | 'text' | 'endToEndId'
>;

/** Whether the line would pay or take back. */
export const mayMove = (line: Mover): boolean =>
  line.status === 'booked' && (mayPay(line) || mayTakeBack(line));

const mayPay = ({ direction, kind }: Mover): boolean => direction === 'in' && kind === 'payment';

/** Not every format marks returns: they carry the payer's texts. */
const mayTakeBack = (line: Mover): boolean =>
  line.kind === 'return' ||
  line.kind === 'reversal' ||
  (line.direction === 'out' && sureReferences(line).length > 0);

/** Identifiers from the bank that distinguish each line from other bookings. */
export function rivalsWanted(
  lines: readonly IncomingLine[],
  { format }: Pick<StoringStatement, 'format'>,
): WantedRival[] {
  return lines.map((line, n) => {
    const { identifiers, counterparty, bookedOn, valuedOn } = line;
    const isSure = !line.identifiers[DOUBTFUL_ACCOUNT];
    return {
      n,
      money: undatedKey(line),
      day: dayOf(line) || null,
      valuedOn: valuedOn ?? bookedOn,
      isBooked: bookedOn !== null,
      ofTransaction: identifiers.transactionBankReference,
      ofEntry: identifiers.entryBankReference,
      isDoubtful: Boolean(line.identifiers[DOUBTFUL]),
      endToEndId: line.endToEndId,
      transactionId: identifiers.transactionId,
      uetr: identifiers.uetr,
      isNamed: line.identifiers[nameIn(format)] !== NO_NAME,
      named: namedReferenceOf(line),
      iban: isSure && counterparty.accountType === 'iban' ? counterparty.account : null,
    };
  });
}

/** Known lines of statements with distinct bookings that share a bank identifier: one of the two proofs is wrong. */
export function sharingRivals(
  lines: readonly IncomingLine[],
  known: readonly KnownLine[],
  { statementId, apart }: Pick<StoringStatement, 'statementId' | 'apart'>,
): [IncomingLine, string][] {
  const byName = Map.groupBy(
    // Complete and truncated names are indexed separately: thousands of references can have the same beginning.
    known
      .filter((line) => line.status === 'booked' && !isMerged(line))
      .filter(({ statements }) => statements.some((id) => apart.includes(id)))
      .filter(({ statements }) => !statements.includes(statementId))
      .map(knownBooking)
      .flatMap((booking) => [...namesOf(booking)].map((name) => ({ name, booking }))),
    ({ name }) => name,
  );
  return lines.flatMap((line): [IncomingLine, string][] => {
    for (const name of wantedNamesOf(line)) {
      const some = byName.get(name) ?? [];
      // Of more bookings with one identifier, an operator compares the first.
      const found =
        some.length > LOOKS_MAX
          ? some[0]
          : some.find(({ booking }) => isSameByBank(line, booking) && mayBeSame(line, booking));
      if (found) return [[line, found.booking.line.id]];
    }
    return [];
  });
}

/** Known bookings compared per identifier. */
const LOOKS_MAX = 20;

const uniqueNamesOf = ({ identifiers: { uetr, transactionId } }: BookingIdentity): string[] =>
  [uetr, transactionId].flatMap((name) => name ?? []);

/** Identifiers of the bank; long references also as the shortest format has them. */
const namesOf = (booking: BookingIdentity): Set<string> =>
  new Set([...uniqueNamesOf(booking), ...bankReferencesOf(booking).flatMap(listedAs)]);

/** Names under which `namesOf` lists a booking with the same identifier. */
const wantedNamesOf = (booking: BookingIdentity): Set<string> =>
  new Set([...uniqueNamesOf(booking), ...bankReferencesOf(booking).flatMap(lookedUpAs)]);
