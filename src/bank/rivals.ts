import type { KnownLine, StoringStatement } from '../database/bank/line-store.repository.js';
import type { WantedRival } from '../database/bank/possible-duplicate.repository.js';
import type { DecidedLines } from './decided-lines.js';
import { type IncomingLine, isBookedBy, isMerged, knownTelling } from './incoming-line.js';
import { dayOf, undatedKey } from './line-key.js';
import { sureReferences } from './reference-clues.js';
import { DOUBTFUL, isRunningNumber, mayBeSame, shareUnique, type Telling } from './same-booking.js';

/**
 * Lines that would pay, or take back, by themselves, and may be bookings that are there all the same, because only what
 * payers write says otherwise. Other money that goes out bears our own references.
 */
export const askedAbout = ({ lines, knownAs, isTotal }: DecidedLines): IncomingLine[] =>
  lines.filter((line) => {
    const known = knownAs(line);
    const mayMove = line.status === 'booked' && (mayPay(line) || mayTakeBack(line));
    return mayMove && !isTotal(line) && (!known || isBookedBy(known, line));
  });

const mayPay = ({ direction, kind }: IncomingLine): boolean =>
  direction === 'in' && kind === 'payment';

/** Not every format calls a return so: it bears what the payer wrote. */
const mayTakeBack = (line: IncomingLine): boolean =>
  line.kind === 'return' ||
  line.kind === 'reversal' ||
  (line.direction === 'out' && sureReferences(line).length > 0);

/** What the bank says of each of them, by which it can be told apart from other bookings. */
export function rivalsWanted(lines: readonly IncomingLine[]): WantedRival[] {
  return lines.map((line, n) => {
    const { identifiers, counterparty, bookedOn, valuedOn } = line;
    const numbers = Object.entries(identifiers).filter(([name]) => isRunningNumber(name));
    return {
      n,
      money: undatedKey(line),
      day: dayOf(line) || null,
      valuedOn: valuedOn ?? bookedOn,
      ofTransaction: identifiers.transactionBankReference,
      ofEntry: identifiers.entryBankReference,
      isDoubtful: Boolean(line.identifiers[DOUBTFUL]),
      endToEndId: line.endToEndId,
      transactionId: identifiers.transactionId,
      uetr: identifiers.uetr,
      iban: counterparty.accountType === 'iban' ? counterparty.account : null,
      numbers: Object.fromEntries(numbers),
    };
  });
}

/** Those among lines that are known, of whatever days, with a transaction id or a UETR in common. */
export function sharingRivals(
  lines: readonly IncomingLine[],
  known: readonly KnownLine[],
  { statementId, apart }: Pick<StoringStatement, 'statementId' | 'apart'>,
): [IncomingLine, string][] {
  const others = [statementId, ...apart];
  const byName = Map.groupBy(
    known
      .filter((line) => line.status === 'booked' && !isMerged(line))
      .filter(({ statements }) => !statements.some((id) => others.includes(id)))
      .map(knownTelling)
      .flatMap((telling) => uniqueNamesOf(telling).map((name) => ({ name, telling }))),
    ({ name }) => name,
  );
  return lines.flatMap((line): [IncomingLine, string][] => {
    const alike = uniqueNamesOf(line).flatMap((name) => byName.get(name) ?? []);
    const found = alike.find(
      ({ telling }) => shareUnique(line, telling) && mayBeSame(line, telling),
    );
    return found ? [[line, found.telling.line.id]] : [];
  });
}

const uniqueNamesOf = ({ identifiers }: Telling): string[] =>
  [identifiers['uetr'], identifiers['transactionId']].flatMap((name) => name ?? []);
