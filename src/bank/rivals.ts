import {
  type KnownLine,
  SHORT_REFERENCE,
  type StoringStatement,
} from '../database/bank/line-store.repository.js';
import type { WantedRival } from '../database/bank/possible-duplicate.repository.js';
import type { DecidedLines } from './decided-lines.js';
import {
  type IncomingLine,
  isBookedBy,
  isMerged,
  type KnownTelling,
  knownTelling,
} from './incoming-line.js';
import { dayOf, undatedKey } from './line-key.js';
import { sureReferences } from './reference-clues.js';
import {
  bankReferencesOf,
  DOUBTFUL,
  isRunningNumber,
  isSameByBank,
  mayBeSame,
  namedReferenceOf,
  shareUnique,
  type Telling,
} from './same-booking.js';

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
      named: namedReferenceOf(line),
      iban: counterparty.accountType === 'iban' ? counterparty.account : null,
      numbers: Object.fromEntries(numbers),
    };
  });
}

/**
 * Those among lines that are known, of whatever days, with a transaction id or a UETR in common; and those with any name
 * of the bank in common of which a statement has told whose bookings are others: one of both proofs is wrong.
 */
export function sharingRivals(
  lines: readonly IncomingLine[],
  known: readonly KnownLine[],
  { statementId, apart }: Pick<StoringStatement, 'statementId' | 'apart'>,
): [IncomingLine, string][] {
  const isApart = ({ line }: KnownTelling) => line.statements.some((id) => apart.includes(id));
  const byName = Map.groupBy(
    known
      .filter((line) => line.status === 'booked' && !isMerged(line))
      .filter(({ statements }) => !statements.includes(statementId))
      .map(knownTelling)
      .flatMap((telling) => namesOf(telling, isApart(telling)).map((name) => ({ name, telling }))),
    ({ name }) => name,
  );
  return lines.flatMap((line): [IncomingLine, string][] => {
    const alike = namesOf(line, true).flatMap((name) => byName.get(name) ?? []);
    const found = alike.find(({ telling }) => {
      const share = isApart(telling) ? isSameByBank : shareUnique;
      return share(line, telling) && mayBeSame(line, telling);
    });
    return found ? [[line, found.telling.line.id]] : [];
  });
}

/** @param withReferences those of the bank, too, as short as a format may have them */
function namesOf(telling: Telling, withReferences: boolean): string[] {
  const { uetr, transactionId } = telling.identifiers;
  const references = withReferences ? bankReferencesOf(telling) : [];
  return [
    ...new Set(references.map((name) => name.slice(0, SHORT_REFERENCE))),
    ...[uetr, transactionId].flatMap((name) => name ?? []),
  ];
}
