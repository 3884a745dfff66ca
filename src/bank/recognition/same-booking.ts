import type { LineIdentifiers, LineReference } from '../../bank-statements/statement.js';
import { memoized } from '../../common/memoized.js';
import { transferReferencesIn } from '../../common/money/creditor-reference.js';
import { NAME_IN, NO_NAME } from '../../database/bank/lines/possible-duplicate.repository.js';
import { isSame } from './truncated-references.js';
import { type Dated, nearDays, sameDay, sameValueDay, touchingDays } from './line-key.js';

/** Fields that distinguish a booking from others of the same amount and account. */
export interface BookingIdentity extends Dated {
  readonly status: 'booked' | 'announced';
  readonly counterparty: {
    readonly name: string | null;
    readonly account: string | null;
    readonly accountType: string | null;
  };
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly text: string | null;
  readonly identifiers: Readonly<Record<string, string | null>>;
  /** Why a stored line has moved no money by itself yet. */
  readonly unproven?: string | null;
}

/** Confidence that two lines report one booking; 0 = different bookings, or an operator has to decide. */
export type MatchScore = 0 | 1 | 2 | 3 | 4;

/** Globally unique and never written by a payer. */
const UNIQUE = ['uetr', 'transactionId'] as const satisfies (keyof LineIdentifiers)[];

export const bankReferencesOf = ({
  identifiers,
}: {
  readonly identifiers: BookingIdentity['identifiers'] | LineIdentifiers;
}): string[] =>
  [identifiers.transactionBankReference, identifiers.entryBankReference].flatMap(
    (reference) => reference ?? [],
  );

/**
 * 4: common reference, same day; 3: common reference, nearby days; 2: same order, or same payer or text without any
 * order; 1: no contradiction, and neither names an order. Both have the same account, direction, amount and currency.
 */
export function matchScore(one: BookingIdentity, other: BookingIdentity): MatchScore {
  if (haveOtherUetrs(one, other) || areWrittenApart(one, other)) return 0;
  if (areReportedApart(one, other)) return 0;
  if (isSameByBank(one, other) || isSameByPayer(one, other)) {
    if (sameDay(one, other)) return 4;
    return isMoved(one, other) ? 3 : 0;
  }
  if (!sameDay(one, other)) return 0;
  if (isAlike(one, other)) return 2;
  return nameTheSame(one, other) ? 1 : 0;
}

/**
 * Accounts (for example of a payment service) and texts can be shared by many payers, so an order reference outweighs
 * them.
 */
const isAlike = (one: BookingIdentity, other: BookingIdentity): boolean =>
  meet(ourReferencesOf(one), ourReferencesOf(other)) ||
  (nameTheSame(one, other) &&
    (share(one.counterparty.account, other.counterparty.account) || share(one.text, other.text)));

/**
 * Whether two lines with a low score may still be one booking: unless the bank's own data distinguishes them. Payers'
 * texts never separate two lines; equal ones can only join them. An operator decides. `same-booking.statements.ts` has
 * the same rule in SQL.
 */
export const mayBeSame = (one: BookingIdentity, other: BookingIdentity): boolean =>
  nearDays(one, other) &&
  !haveOtherUetrs(one, other) &&
  !areSurelyOfOtherAccounts(one, other) &&
  !areNamedApart(one, other) &&
  !areDatedApart(one, other);

const haveOtherUetrs = (one: BookingIdentity, other: BookingIdentity): boolean =>
  differ(one.identifiers['uetr'], other.identifiers['uetr']);

/**
 * Whether one kind of message reports two bookings, or may do so: it reports a booking with one day, payer and bank
 * reference. An operator decides.
 */
function areReportedApart(one: BookingIdentity, other: BookingIdentity): boolean {
  if (!areCountedInOneKind(one, other)) return false;
  if (!sameDay(one, other)) return true;
  if (shareUnique(one, other)) return false;
  const areReferred = isReferred(one) && isReferred(other);
  return (
    differ(one.counterparty.name, other.counterparty.name) ||
    (areReferred && !shareBankReference(one, other, Object.is))
  );
}

/** Lines that have moved no money yet are left out: any file may prove them. */
const areCountedInOneKind = (
  one: BookingIdentity,
  other: BookingIdentity,
  isOne: (kind: string) => boolean = () => true,
): boolean =>
  [one, other].every(({ status, unproven }) => status === 'booked' && !unproven) &&
  kindsOf(one, other).some(isOne);

/** Kinds of messages that do not list all bookings of a day. */
const NOTIFYING: ReadonlySet<string> = new Set(
  ['camt.052', 'camt.054'].map((kind) => NAME_IN + kind),
);

/** Whether two notifications have the line without an id of the bank in common: they may report two equal bookings. */
export const areNotifiedTwice = (one: BookingIdentity, other: BookingIdentity): boolean =>
  areCountedInOneKind(one, other, (kind) => NOTIFYING.has(kind)) && !isSameByBank(one, other);

/** A bank may show a virtual account, or a new one of the payer: its reference and an end-to-end id outweigh that. */
const areSurelyOfOtherAccounts = (one: BookingIdentity, other: BookingIdentity): boolean =>
  isSurelyPaidFrom(one) &&
  isSurelyPaidFrom(other) &&
  areOfOtherAccounts(one, other) &&
  !(shareBankReference(one, other) && share(one.endToEndId, other.endToEndId));

/** Whether one kind of message contains both under different names. Names of different kinds cannot be compared. */
const areNamedApart = (one: BookingIdentity, other: BookingIdentity): boolean =>
  kindsOf(one, other).some((kind) => isNamedIn(kind, one) && isNamedIn(kind, other)) &&
  !shareUnique(one, other) &&
  (haveOtherTransactionIds(one, other) || haveOtherReferences(one, other));

/** Whether one kind of message contains both on different days. Days of different kinds cannot be compared. */
const areDatedApart = (one: BookingIdentity, other: BookingIdentity): boolean =>
  !sameDay(one, other) &&
  !sameValueDay(one, other) &&
  kindsOf(one, other).length > 0 &&
  !isSameByBank(one, other) &&
  !share(one.endToEndId, other.endToEndId) &&
  !share(namedReferenceOf(one), namedReferenceOf(other));

const haveOtherReferences = (one: BookingIdentity, other: BookingIdentity): boolean =>
  isSurelyReferred(one) && isSurelyReferred(other) && !shareBankReference(one, other);

/** Kind of message, for example `camt.053` of `camt.053.001.08`. */
export const messageKind = (format: string): string => format.slice(0, 8);

/** Identifier that records a line's name in this kind of message: a unique name, or `NO_NAME`. */
export const nameIn = (format: string): string => NAME_IN + messageKind(format);
export const isNameIn = (name: string): boolean => name.startsWith(NAME_IN);

/** Kinds of messages that contain both, as identifiers of `nameIn`. */
const kindsOf = (one: BookingIdentity, other: BookingIdentity): string[] =>
  Object.keys(one.identifiers).filter(
    (name) => isNameIn(name) && one.identifiers[name] && other.identifiers[name],
  );

const isNamedIn = (kind: string, { identifiers }: BookingIdentity): boolean =>
  identifiers[kind] !== NO_NAME;

const haveOtherTransactionIds = (
  { identifiers: mine }: BookingIdentity,
  { identifiers: theirs }: BookingIdentity,
): boolean => differ(mine['transactionId'], theirs['transactionId']);

/** Whether running numbers differ. Intraday reports may number from the newest entry. */
const areNumberedApart = (
  { identifiers: mine }: BookingIdentity,
  { identifiers: theirs }: BookingIdentity,
) => Object.keys(mine).some((name) => isRunningNumber(name) && differ(mine[name], theirs[name]));

/** Whether payers' texts contradict: such lines are never merged automatically. */
const areWrittenApart = (one: BookingIdentity, other: BookingIdentity): boolean =>
  areOfOtherAccounts(one, other) ||
  haveOtherTransactionIds(one, other) ||
  (areNumberedApart(one, other) && !shareUnique(one, other) && !isReferredAlike(one, other)) ||
  (isReferred(one) && isReferred(other) && !shareBankReference(one, other)) ||
  differ(one.endToEndId, other.endToEndId) ||
  differ(one.identifiers['instructionId'], other.identifiers['instructionId']) ||
  areApart(typedReferencesOf(one), typedReferencesOf(other)) ||
  areApart(ourReferencesOf(one), ourReferencesOf(other));

/** A reference in a field that payers can write to, as in MT940: it can link two lines, but not separate them. */
export const DOUBTFUL = 'doubtfulReference';
const isReferred = (booking: BookingIdentity): boolean => bankReferencesOf(booking).length > 0;
const isSurelyReferred = (booking: BookingIdentity): boolean =>
  isReferred(booking) && !booking.identifiers[DOUBTFUL];

/** Running number of an entry; each kind of message has its own. */
export const runningNumber = (format: string): string => `entryReference ${messageKind(format)}`;
const isRunningNumber = (name: string): boolean => name.startsWith('entryReference ');

/**
 * An account among payer texts, as in MT940, where payers can write anything. It does not separate bookings, but
 * prevents an automatic merge.
 */
export const DOUBTFUL_ACCOUNT = 'doubtfulAccount';
const isSurelyPaidFrom = ({ identifiers }: BookingIdentity): boolean =>
  !identifiers[DOUBTFUL_ACCOUNT];

type Text = string | null | undefined;

const differ = (one: Text, other: Text): boolean =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

const share = (one: Text, other: Text): boolean => typeof one === 'string' && one === other;

/** Whether they share a UETR or a transaction id. */
export const shareUnique = (
  { identifiers: mine }: BookingIdentity,
  { identifiers: theirs }: BookingIdentity,
): boolean => UNIQUE.some((name) => share(mine[name], theirs[name]));

export const isSameByBank = (one: BookingIdentity, other: BookingIdentity): boolean =>
  shareUnique(one, other) || shareBankReference(one, other);

const isSameByPayer = (one: BookingIdentity, other: BookingIdentity): boolean =>
  share(one.endToEndId, other.endToEndId) ||
  share(one.identifiers['instructionId'], other.identifiers['instructionId']);

/**
 * Whether a common reference links two lines with different days. Banks reuse references and payers choose theirs: the
 * further the days are apart, the more has to agree.
 */
function isMoved(one: BookingIdentity, other: BookingIdentity): boolean {
  if (one.status !== other.status) return true;
  if (touchingDays(one, other)) return isSameByBank(one, other) || nameTheSame(one, other);
  if (!nearDays(one, other)) return false;
  return shareUnique(one, other) || isReferredAlike(one, other);
}

/** Whether bank identifiers that are complete, and that no payer can write, prove that they are one booking. */
export const isSurelySame = (one: BookingIdentity, other: BookingIdentity): boolean =>
  shareUnique(one, other) ||
  (isSurelyReferred(one) && isSurelyReferred(other) && shareBankReference(one, other, Object.is));

/** Whether the first names no order, or an order that the other names, too. */
export function namesNoOther(one: BookingIdentity, other: BookingIdentity): boolean {
  const names = ourReferencesOf(one);
  return names.length === 0 || meet(names, ourReferencesOf(other));
}

/** One of the references, independent of spelling and order. */
export const namedReferenceOf = (booking: BookingIdentity): string | null =>
  ourReferencesOf(booking).toSorted()[0] ?? null;

/** Whether they name the same order, or neither names one. */
export function nameTheSame(one: BookingIdentity, other: BookingIdentity): boolean {
  const [mine, theirs] = [ourReferencesOf(one), ourReferencesOf(other)];
  return mine.length + theirs.length === 0 || meet(mine, theirs);
}

const wroteTheSame = (one: BookingIdentity, other: BookingIdentity): boolean =>
  isSameByPayer(one, other) || meet(ourReferencesOf(one), ourReferencesOf(other));

/** Whether they share a bank reference and the payers' texts agree. */
const isReferredAlike = (one: BookingIdentity, other: BookingIdentity): boolean =>
  shareBankReference(one, other) && wroteTheSame(one, other);

/** A transaction has its own reference, that of its entry, or both; transactions of one entry may share the entry's. */
export function shareBankReference(
  one: BookingIdentity,
  other: BookingIdentity,
  areEqual: (one: string, other: string) => boolean = isSame,
): boolean {
  const own = [one, other].map(({ identifiers }) => identifiers['transactionBankReference']);
  if (own[0] && own[1]) return areEqual(own[0], own[1]);
  const theirs = bankReferencesOf(other);
  return bankReferencesOf(one).some((mine) => theirs.some((each) => areEqual(mine, each)));
}

function areOfOtherAccounts(one: BookingIdentity, other: BookingIdentity): boolean {
  const [mine, theirs] = [one.counterparty, other.counterparty];
  const areBoth = mine.accountType === 'iban' && theirs.accountType === 'iban';
  return areBoth && mine.account !== theirs.account && !shareUnique(one, other);
}

const areApart = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !meet(one, other);

/** Linear time, since lists can be long. */
function meet(one: readonly string[], other: readonly string[]): boolean {
  const there = new Set(other);
  return one.some((each) => there.has(each));
}

const plain = (references: readonly LineReference[]): string[] =>
  references.map(({ value }) => value.replace(/\s/g, '').toUpperCase());

/** A reference column of CSV may be another kind than that of camt, so only typed references count. */
export const typedReferencesOf = ({ references }: BookingIdentity): string[] =>
  plain(references.filter(({ type }) => type !== null));

/** Our own references. */
export const ourReferencesOf = memoized((booking: BookingIdentity): string[] => {
  const texts = [...plain(booking.references), booking.endToEndId ?? '', booking.text ?? ''];
  return [...new Set(texts.flatMap((text) => transferReferencesIn(text)))];
});
