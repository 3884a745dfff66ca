import type { BankDay } from '../bank-day.js';
import { readIban } from '../../common/money/iban.js';
import { counterparty, joinTexts, type PartyTexts } from '../counterparty.js';
import {
  isBatchCode,
  isCollectionCode,
  isCollectionType,
  isReturnCode,
  isReturnType,
  lineKind,
} from '../line-kind.js';
import { lineAmount, type PieceQueue, type StatementDraft } from '../statement-draft.js';
import { NO_IDENTIFIERS, type LineStatus, type StatementLine } from '../statement.js';
import type { MtDetails } from './mt-details.js';
import type { MtEntry } from './mt-entry.js';

const DOUBTFUL_RETURN = 'The details have a mark of a return where the payer can have written it.';

/** Builds the line of an entry (:61:) with its details (:86:), and counts the entry in its statement. */
export function mtLine(
  entry: MtEntry,
  details: MtDetails,
  status: LineStatus,
  statement: StatementDraft,
  pieces: PieceQueue,
): StatementLine {
  const number = statement.entries;
  const where = `Entry ${number} at line ${entry.line}`;
  const currency = statement.opening?.currency ?? statement.currency;
  const amount = { scaled: entry.amount, currency };
  statement.count(amount, entry.direction, status === 'booked');
  const { usable, ...shown } = lineAmount(amount, pieces, where);
  const { direction, reversal, customerReference, bankReference } = entry;
  const day = (read: BankDay) => pieces.day(read, where);
  const returned = isReturned(entry, details);
  const isDoubtful = details.mayBeReturned && !returned;
  if (isDoubtful) pieces.warn('contradiction', `${where}: ${DOUBTFUL_RETURN}`);
  return {
    entry: number,
    detail: 0,
    bookedOn: entry.bookedOn && day(entry.bookedOn),
    valuedOn: day(entry.valuedOn),
    ...shown,
    direction,
    status,
    kind: lineKind({ hasAmount: usable, returned, reversal, ...traitsOf(entry, details) }),
    reversal,
    returned,
    ...(isDoubtful ? { contradicts: DOUBTFUL_RETURN } : {}),
    counterparty: counterparty(counterpartyOf(entry, details)),
    references: details.references,
    endToEndId: details.endToEndId,
    bankReference,
    text: joinTexts([...details.texts, ...textsOf(entry, details)]),
    identifiers: {
      ...NO_IDENTIFIERS,
      entryReference: customerReference,
      entryBankReference: entry.isBankReferenceSure ? bankReference : null,
    },
  };
}

const isReturned = ({ type }: MtEntry, { code, returned }: MtDetails): boolean =>
  isReturnType(type) || returned || isReturnCode(code ?? '');

/** A batch total has neither a counterparty account nor an end-to-end id. */
const traitsOf = ({ type }: MtEntry, { code, party, endToEndId }: MtDetails) => ({
  collection: isCollectionType(type) || isCollectionCode(code ?? ''),
  batchTotal: isBatchCode(code ?? '') && !party.account && endToEndId === null,
});

/** Payer of incoming, payee of outgoing money. In returns and reversals, banks may name the original parties. */
function counterpartyOf(entry: MtEntry, details: MtDetails): PartyTexts {
  const { direction, reversal, supplement } = entry;
  const { party, payer, payee } = details;
  const [wanted, other] = direction === 'in' ? [payer, payee] : [payee, payer];
  const isBack = reversal || isReturned(entry, details);
  const named = wanted ?? (isBack ? other : undefined);
  return {
    ...party,
    name: named?.name || party.name,
    account:
      party.account || (details.hasSupplementAccount ? supplement.find(isAccount) : undefined),
  };
}

const isAccount = (line: string): boolean => readIban(line) !== null;

/** Supplement lines of :61:, without a counterparty account, and without original amounts and charges (`/OCMT/`). */
const textsOf = ({ supplement }: MtEntry, { hasSupplementAccount }: MtDetails): string[] =>
  supplement.filter(
    (line) => !(hasSupplementAccount && isAccount(line)) && !/^\/[A-Z]{4}\//.test(line),
  );
