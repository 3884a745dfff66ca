import { memoized } from '../../common/memoized.js';
import type { StatementLine } from '../../bank-statements/statement.js';
import type { BankLine, LineState } from '../../database/bank/lines/bank-line.entity.js';
import type { EnrichedLine, KnownLine } from '../../database/bank/lines/line-store.repository.js';
import { NO_NAME } from '../../database/bank/lines/possible-duplicate.repository.js';
import { isTakingBack } from './waiting-line.js';
import { lineKey, sameDay, sameValueDay } from './line-key.js';
import { payerColumns, textsAfter } from './proven-words.js';
import {
  bankReferencesOf,
  DOUBTFUL,
  DOUBTFUL_ACCOUNT,
  isNameIn,
  isSurelySame,
  nameIn,
  namedReferenceOf,
  runningNumber,
  type BookingIdentity,
} from './same-booking.js';

/** A line of a file with the fields that identify its booking. */
export type IncomingLine = StatementLine & BookingIdentity;

/** Whether an operator merged the line into another one, which replaces it. */
export const isMerged = ({ duplicateOf, reason }: BankLine): boolean =>
  duplicateOf !== null && reason === 'same_booking';

/** Id of the booking: the line's own, or that of the line it was merged into. */
export const bookingOf = (line: BankLine): string => (isMerged(line) ? line.duplicateOf! : line.id);

/** A stored line with the fields that identify its booking. */
export interface KnownBooking extends BookingIdentity {
  readonly line: KnownLine;
}

/** Whether a file is, or has, CSV. */
export const isCsv = (format: string): boolean => format.includes('csv');

/**
 * @param format such as `camt.053.001.08`: each kind of message numbers its entries separately
 * @param isProven whether the balances of its statement prove it
 */
export function incomingLine(line: StatementLine, format: string, isProven = true): IncomingLine {
  const { entryReference, entryBankReference, transactionBankReference, transactionId } =
    line.identifiers;
  const isCamt = format.startsWith('camt.');
  const name = transactionId ?? transactionBankReference ?? entryBankReference;
  const more: Record<string, string> = { [nameIn(format)]: (isCamt && name) || NO_NAME };
  if (isCamt && entryReference !== null) more[runningNumber(format)] = entryReference;
  const { account } = line.counterparty;
  // A payer may have written them, unless the format has fields of the bank.
  const isDoubtful = !isCamt && !(isCsv(format) && isProven && !line.mayBeShifted);
  if (isDoubtful && entryBankReference !== null) more[DOUBTFUL] = entryBankReference;
  if (isDoubtful && account !== null) more[DOUBTFUL_ACCOUNT] = account;
  return { ...line, identifiers: { ...line.identifiers, ...more } };
}

/** The stored line in the form of an incoming one; one object per line, so that its names are searched once. */
export const knownBooking = memoized((line: KnownLine): KnownBooking => {
  const { bookedOn, valuedOn, status, references, endToEndId, text, identifiers, unproven } = line;
  const said = { bookedOn, valuedOn, status, references, endToEndId, text, identifiers, unproven };
  const counterparty = {
    name: line.counterpartyName,
    account: line.counterpartyAccount,
    accountType: line.counterpartyAccountType,
  };
  return { line, ...said, counterparty };
});

/** State before any rule has run. */
export function firstState({ status, kind, direction }: StatementLine): LineState {
  if (status === 'announced') return 'announced';
  return kind === 'payment' && direction === 'in' ? 'unmatched' : 'not_a_payment';
}

/** Columns that depend on other lines. */
type Beside = 'unproven' | 'duplicateOf' | 'markedDistinctBy';

type LineColumns = Omit<
  BankLine,
  'id' | 'mode' | 'account' | 'ordinal' | 'reason' | 'parentId' | 'createdAt' | 'lookedAt' | Beside
>;

/** Columns of a new line. */
export const reportedColumns = (line: IncomingLine): LineColumns => ({
  key: lineKey(line),
  bookedOn: line.bookedOn,
  valuedOn: line.valuedOn,
  amount: line.amount === null ? null : Number(line.amount),
  amountText: line.amountText,
  currency: line.currency,
  direction: line.direction,
  status: line.status,
  kind: line.kind,
  reversal: line.reversal,
  returned: line.returned,
  contradicts: line.contradicts ?? null,
  ...payerColumns(line.counterparty),
  references: line.references,
  endToEndId: line.endToEndId,
  bankReference: line.bankReference,
  text: line.text,
  namedReference: namedReferenceOf(line),
  identifiers: line.identifiers,
  batchId: null,
  batchKey: null,
  state: firstState(line),
});

/** Kinds that only one format reports; others report a payment. */
const INFORMATIVE_KINDS: ReadonlySet<string> = new Set([
  'return',
  'reversal',
  'collection',
  'batch_total',
]);

/** Whether the incoming line books a known announced one. */
export const isBookedBy = (known: KnownLine, { status }: IncomingLine): boolean =>
  known.status === 'announced' && status === 'booked';

/**
 * Merges an incoming line into a known one: fills missing fields, and books an announced line.
 * @param doubts of an announced line that is now booked
 * @returns null when nothing changes
 */
export function enriched(
  known: KnownLine,
  incoming: IncomingLine,
  batch: Pick<BankLine, 'batchId' | 'batchKey'> | undefined,
  doubts: Pick<BankLine, 'unproven' | 'duplicateOf'>,
  ordinals: { next(key: string): number },
): EnrichedLine | null {
  if (isMerged(known)) return null;
  const columns = reportedColumns(incoming);
  const isBooked = isBookedBy(known, incoming);
  if (columns.status === 'announced' && known.status === 'booked')
    return batch && known.batchId === null ? { ...known, ...batch, booked: null } : null;
  const isProof = doubts.unproven === null && columns.status === 'booked';
  const isSure = isBooked || isProof;
  const names = doubts.unproven === null ? {} : NO_NAMES;
  const before = isBooked ? unnamedOn(columns, known) : known;
  const filled = filledBy(before, isSure ? columns : { ...columns, ...NO_WORDS, ...names }, batch);
  const isProven = isBooked || (isProof && known.unproven !== null);
  const words = isProven
    ? textsAfter(known, incoming, isSurelySame(incoming, knownBooking(known)))
    : null;
  const said = kindAfter(known, columns, isBooked);
  if (!isBooked) {
    const isMore = filled || said || words;
    // A line that an operator ignored before it was known to be a return is matched again.
    const booked = said && known.state === 'ignored' ? columns.state : null;
    return isMore ? withName({ ...known, ...filled, ...said, ...words, booked }) : null;
  }
  const { key, bookedOn, valuedOn, status, state } = columns;
  const ordinal = key === known.key ? known.ordinal : ordinals.next(key);
  // A total that its payments replaced stays replaced once it is booked.
  const isReplaced =
    known.state === 'superseded' && known.batchId !== null && known.batchKey === null;
  const booked = isReplaced ? known.state : state;
  const booking = { key, ordinal, bookedOn, valuedOn, status, booked, ...doubts };
  return withName({ ...known, ...filled, ...said, ...words, ...booking });
}

/** Recalculates the named reference, since the texts may have changed. */
const withName = <Line extends KnownLine>(line: Line): Line => ({
  ...line,
  namedReference: namedReferenceOf(knownBooking(line)),
});

/** The known line with the new days; its names belong to the old ones. */
const unnamedOn = ({ bookedOn, valuedOn }: LineColumns, known: KnownLine): KnownLine => ({
  ...known,
  bookedOn,
  valuedOn,
  identifiers: Object.fromEntries(
    Object.entries(known.identifiers).filter(([name]) => !isNameIn(name)),
  ),
});

/** A payer can forge an announced or unproven line, so it adds no texts to others. */
const NO_WORDS = {
  counterpartyName: null,
  counterpartyAccount: null,
  counterpartyAccountType: null,
  counterpartyBic: null,
  references: [],
  endToEndId: null,
  text: null,
} satisfies Partial<BankLine>;

/** An unproven line adds no days and references either. */
const NO_NAMES = {
  bookedOn: null,
  valuedOn: null,
  bankReference: null,
  identifiers: {},
} satisfies Partial<BankLine>;

const FILLED = [
  'bookedOn',
  'valuedOn',
  'contradicts',
  'counterpartyName',
  'counterpartyBic',
  'endToEndId',
  'bankReference',
  'text',
] as const;

function filledBy(
  known: KnownLine,
  columns: LineColumns,
  batch: Pick<BankLine, 'batchId' | 'batchKey'> | undefined,
): Partial<BankLine> | null {
  const missing = FILLED.filter((name) => known[name] === null && columns[name] !== null);
  const filled: Partial<BankLine> = Object.fromEntries(
    missing.map((name) => [name, columns[name]]),
  );
  if (known.counterpartyAccount === null && columns.counterpartyAccount !== null) {
    const { counterpartyAccount, counterpartyAccountType } = columns;
    Object.assign(filled, { counterpartyAccount, counterpartyAccountType });
  }
  if (known.references.length === 0 && columns.references.length > 0) {
    Object.assign(filled, { references: columns.references });
  }
  if (batch && known.batchId === null) Object.assign(filled, batch);
  const identifiers = identifiersAfter(known, columns);
  if (identifiers) Object.assign(filled, { identifiers });
  return Object.keys(filled).length > 0 ? filled : null;
}

/**
 * A doubtful reference or account never makes a certain one doubtful. It becomes certain once a more precise format has
 * it.
 */
function identifiersAfter(known: KnownLine, columns: LineColumns): BankLine['identifiers'] | null {
  const isReferred = bankReferencesOf(known).length > 0;
  // A kind of message that dates the line differently adds no name of its own.
  const isDatedAlike = sameDay(known, columns) || sameValueDay(known, columns);
  const more = Object.entries(columns.identifiers).filter(
    ([name, value]) =>
      value !== null &&
      (known.identifiers[name] ?? null) === null &&
      (isDatedAlike || !isNameIn(name)) &&
      !(name === DOUBTFUL && isReferred) &&
      !(name === DOUBTFUL_ACCOUNT && value === known.counterpartyAccount),
  );
  const isSure = bankReferencesOf(columns).length > 0 && !columns.identifiers[DOUBTFUL];
  if (isSure && known.identifiers[DOUBTFUL]) more.push([DOUBTFUL, null]);
  const isSame = columns.counterpartyAccount === known.counterpartyAccount;
  if (isSame && known.identifiers[DOUBTFUL_ACCOUNT] && !columns.identifiers[DOUBTFUL_ACCOUNT])
    more.push([DOUBTFUL_ACCOUNT, null]);
  return more.length > 0 ? { ...known.identifiers, ...Object.fromEntries(more) } : null;
}

/** Outgoing money that no rule has explained. An operator's decision about it predates the new information. */
const isUnexplained = ({ state, direction, reason }: KnownLine): boolean =>
  direction === 'out' &&
  (state === 'ignored' ||
    (state === 'not_a_payment' && (reason === null || reason === 'unknown_money_out')));

/** A line without a decision and without allocations can turn out to be no payment. */
function kindAfter(
  known: KnownLine,
  columns: LineColumns,
  isBooked: boolean,
): Partial<BankLine> | null {
  const { kind, reversal, returned } = columns;
  if (isBooked) return { kind, reversal, returned };
  const isOpen = known.state === 'unmatched' || known.state === 'suggested' || isUnexplained(known);
  const isInformative =
    INFORMATIVE_KINDS.has(kind) && (known.kind === 'payment' || isTakingBack({ kind }));
  return isOpen && isInformative ? { kind, reversal, returned } : null;
}
