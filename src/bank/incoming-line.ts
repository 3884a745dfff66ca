import type { Counterparty, StatementLine } from '../bank-statements/statement.js';
import type { BankLine, LineState } from '../database/bank/bank-line.entity.js';
import type { EnrichedLine, KnownLine } from '../database/bank/line-store.repository.js';
import { lineKey } from './line-key.js';
import {
  bankReferencesOf,
  DOUBTFUL,
  isSurelySame,
  namedReferenceOf,
  runningNumber,
  type Telling,
} from './same-booking.js';

/** A line of a file, as bookings are told apart by it. */
export type IncomingLine = StatementLine & Telling;

/** Whether a person has said that the line is another one, which counts in its place. */
export const isMerged = ({ duplicateOf, reason }: BankLine): boolean =>
  duplicateOf !== null && reason === 'same_booking';

/** The line that has the booking. */
export const bookingOf = (line: BankLine): string => (isMerged(line) ? line.duplicateOf! : line.id);

/** A line that is there, likewise. */
export interface KnownTelling extends Telling {
  readonly line: KnownLine;
}

/** @param format such as `camt.053.001.08`: each kind of message counts its entries for itself */
export function incomingLine(line: StatementLine, format: string): IncomingLine {
  const { entryReference, entryBankReference } = line.identifiers;
  const isCounted = format.startsWith('camt.') && entryReference !== null;
  const number = isCounted ? { [runningNumber(format.slice(0, 8))]: entryReference } : {};
  const isDoubtful = format.startsWith('mt') && entryBankReference !== null;
  const doubtful: Record<string, string> = isDoubtful ? { [DOUBTFUL]: entryBankReference } : {};
  return { ...line, identifiers: { ...line.identifiers, ...number, ...doubtful } };
}

export const knownTelling = (line: KnownLine): KnownTelling => ({
  line,
  bookedOn: line.bookedOn,
  valuedOn: line.valuedOn,
  status: line.status,
  counterparty: { account: line.counterpartyAccount, accountType: line.counterpartyAccountType },
  references: line.references,
  endToEndId: line.endToEndId,
  text: line.text,
  identifiers: line.identifiers,
});

/** Before any rule has looked at it. */
export function firstState({ status, kind, direction }: StatementLine): LineState {
  if (status === 'announced') return 'announced';
  return kind === 'payment' && direction === 'in' ? 'unmatched' : 'not_a_payment';
}

/** What is known of a line only beside others. */
type Beside = 'unproven' | 'duplicateOf' | 'toldApartBy';

type Told = Omit<
  BankLine,
  'id' | 'mode' | 'account' | 'ordinal' | 'reason' | 'parentId' | 'createdAt' | 'lookedAt' | Beside
>;

/** Columns of a line that is new. */
export const toldBy = (line: IncomingLine): Told => ({
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
  ...payerOf(line.counterparty),
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

/** What only one format knows: another one says that it is a payment. */
const TELLING_KINDS: ReadonlySet<string> = new Set([
  'return',
  'reversal',
  'collection',
  'batch_total',
]);

/** Whether a line is from now on money that is there, and was not before. */
export const isBookedBy = (known: KnownLine, { status }: IncomingLine): boolean =>
  known.status === 'announced' && status === 'booked';

/**
 * What a line of a file adds to one that is there: what was missing, and the booking of what was announced.
 * @param doubts of a booking that was announced until now
 * @returns null when it adds nothing
 */
export function enriched(
  known: KnownLine,
  incoming: IncomingLine,
  batch: Pick<BankLine, 'batchId' | 'batchKey'> | undefined,
  doubts: Pick<BankLine, 'unproven' | 'duplicateOf'>,
  ordinals: { next(key: string): number },
): EnrichedLine | null {
  if (isMerged(known)) return null;
  const told = toldBy(incoming);
  const isBooked = isBookedBy(known, incoming);
  if (told.status === 'announced' && known.status === 'booked') return null;
  const isProof = doubts.unproven === null && told.status === 'booked';
  const filled = filledBy(known, isBooked || isProof ? told : { ...told, ...NO_WORDS }, batch);
  const isProven = isBooked || (isProof && known.unproven !== null);
  const words = isProven ? wordsAfter(known, incoming) : null;
  const said = kindAfter(known, told, isBooked);
  if (!isBooked) {
    const isMore = filled || said || words;
    // What a person explained away without knowing that it is a return is looked at again.
    const booked = said && known.state === 'ignored' ? told.state : null;
    return isMore ? withName({ ...known, ...filled, ...said, ...words, booked }) : null;
  }
  const { key, bookedOn, valuedOn, status, state } = told;
  const ordinal = key === known.key ? known.ordinal : ordinals.next(key);
  // A total whose payments count is booked with them.
  const isTold = known.state === 'superseded' && known.batchId !== null && known.batchKey === null;
  const booked = isTold ? known.state : state;
  const booking = { key, ordinal, bookedOn, valuedOn, status, booked, ...doubts };
  return withName({ ...known, ...filled, ...said, ...words, ...booking });
}

/** Its words may be other ones now. */
const withName = <Line extends KnownLine>(line: Line): Line => ({
  ...line,
  namedReference: namedReferenceOf(knownTelling(line)),
});

/** A payer can forge a line of what is announced, or not proven: it adds no words to others. */
const NO_WORDS = {
  counterpartyName: null,
  counterpartyAccount: null,
  counterpartyAccountType: null,
  counterpartyBic: null,
  references: [],
  endToEndId: null,
  text: null,
} satisfies Partial<BankLine>;

const OPEN: ReadonlySet<LineState> = new Set([
  'announced',
  'suggested',
  'unmatched',
  'not_a_payment',
]);

/**
 * Who proves an amount, or books it, proves no words, and no payer, that somebody else told before: his own count. Those before stay
 * only where he has none, and the bank itself says that both are one.
 */
function wordsAfter(known: KnownLine, incoming: IncomingLine): Partial<BankLine> | null {
  if (!OPEN.has(known.state)) return null;
  const { text, references, endToEndId, counterparty } = incoming;
  if (!isSurelySame(incoming, knownTelling(known)))
    return { text, references, endToEndId, ...payerOf(counterparty) };
  return {
    ...payerAfter(known, counterparty),
    text: text ?? known.text,
    references: references.length > 0 ? references : known.references,
    endToEndId: endToEndId ?? known.endToEndId,
  };
}

const payerOf = ({ name, account, accountType, bic }: Counterparty) => ({
  counterpartyName: name,
  counterpartyAccount: account,
  counterpartyAccountType: accountType,
  counterpartyBic: bic,
});

/** An account and its kind belong together. */
const payerAfter = (known: KnownLine, { name, bic, ...said }: Counterparty) => ({
  counterpartyName: name ?? known.counterpartyName,
  counterpartyBic: bic ?? known.counterpartyBic,
  ...(said.account !== null && {
    counterpartyAccount: said.account,
    counterpartyAccountType: said.accountType,
  }),
});

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
  told: Told,
  batch: Pick<BankLine, 'batchId' | 'batchKey'> | undefined,
): Partial<BankLine> | null {
  const missing = FILLED.filter((name) => known[name] === null && told[name] !== null);
  const filled: Partial<BankLine> = Object.fromEntries(missing.map((name) => [name, told[name]]));
  if (known.counterpartyAccount === null && told.counterpartyAccount !== null) {
    const { counterpartyAccount, counterpartyAccountType } = told;
    Object.assign(filled, { counterpartyAccount, counterpartyAccountType });
  }
  if (known.references.length === 0 && told.references.length > 0) {
    Object.assign(filled, { references: told.references });
  }
  if (batch && known.batchId === null) Object.assign(filled, batch);
  const identifiers = identifiersAfter(known, told);
  if (identifiers) Object.assign(filled, { identifiers });
  return Object.keys(filled).length > 0 ? filled : null;
}

/** A reference that is in doubt makes none doubtful that is sure, and is sure itself once a surer format has it. */
function identifiersAfter(known: KnownLine, told: Told): BankLine['identifiers'] | null {
  const isReferred = bankReferencesOf(known).length > 0;
  const more = Object.entries(told.identifiers).filter(
    ([name, value]) =>
      value !== null &&
      (known.identifiers[name] ?? null) === null &&
      !(name === DOUBTFUL && isReferred),
  );
  const isSure = bankReferencesOf(told).length > 0 && !told.identifiers[DOUBTFUL];
  if (isSure && known.identifiers[DOUBTFUL]) more.push([DOUBTFUL, null]);
  return more.length > 0 ? { ...known.identifiers, ...Object.fromEntries(more) } : null;
}

/** Money that left, and that no rule has explained: what a person said of it was said without this telling. */
const isUnexplained = ({ state, direction, reason }: KnownLine): boolean =>
  direction === 'out' &&
  (state === 'ignored' ||
    (state === 'not_a_payment' && (reason === null || reason === 'unknown_money_out')));

/** A booking that nobody has decided about, and that explains nothing yet, can turn out to be no payment. */
function kindAfter(known: KnownLine, told: Told, isBooked: boolean): Partial<BankLine> | null {
  const { kind, reversal, returned } = told;
  if (isBooked) return { kind, reversal, returned };
  const isOpen = known.state === 'unmatched' || known.state === 'suggested' || isUnexplained(known);
  const isTelling = known.kind === 'payment' && TELLING_KINDS.has(kind);
  return isOpen && isTelling ? { kind, reversal, returned } : null;
}
