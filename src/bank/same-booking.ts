import type { LineIdentifiers, LineReference } from '../bank-statements/statement.js';
import { transferReferencesIn } from '../common/creditor-reference.js';
import { SHORT_REFERENCE } from '../database/bank/line-store.repository.js';
import { type Dated, nearDays, sameDay, sameValueDay, touchingDays } from './line-key.js';

/** What tells a booking of an account from others of the same amount. */
export interface Telling extends Dated {
  readonly status: 'booked' | 'announced';
  readonly counterparty: { readonly account: string | null; readonly accountType: string | null };
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly text: string | null;
  readonly identifiers: Readonly<Record<string, string | null>>;
}

/** How sure it is that two tellings mean one booking; 0 = it is not: they are two, or a person has to say. */
export type Likeness = 0 | 1 | 2 | 3 | 4;

/** Each is unique where it was made, and no payer writes it: two bookings with other ones are two. */
const UNIQUE = ['uetr', 'transactionId'] as const satisfies (keyof LineIdentifiers)[];

export const bankReferencesOf = ({ identifiers }: Pick<Telling, 'identifiers'>): string[] =>
  [identifiers['transactionBankReference'], identifiers['entryBankReference']].flatMap(
    (reference) => reference ?? [],
  );

/**
 * 4: by a reference, on the same day; 3: by a reference, on days nearby; 2: by the order, or by payer or text where neither names one; 1: nothing is
 * against it, and neither names an order. Both have the same account, direction, amount and currency.
 */
export function likeness(one: Telling, other: Telling): Likeness {
  if (areToldApart(one, other) || areWrittenApart(one, other)) return 0;
  if (isSameByBank(one, other) || isSameByPayer(one, other)) {
    if (sameDay(one, other)) return 4;
    return isMoved(one, other) ? 3 : 0;
  }
  if (!sameDay(one, other)) return 0;
  if (isAlike(one, other)) return 2;
  return nameTheSame(one, other) ? 1 : 0;
}

/** An account, such as that of a payment service, pays for many, and many write the same: neither outweighs an order. */
const isAlike = (one: Telling, other: Telling): boolean =>
  meet(ourReferencesOf(one), ourReferencesOf(other)) ||
  (nameTheSame(one, other) &&
    (share(one.counterparty.account, other.counterparty.account) || share(one.text, other.text)));

/**
 * Whether two tellings that are not alike may mean one booking all the same: what a payer writes reads differently from
 * one format to the next, and proves nothing. A person has to say.
 */
export const mayBeSame = (one: Telling, other: Telling): boolean =>
  !areToldApart(one, other) &&
  nearDays(one, other) &&
  (sameDay(one, other) ||
    sameValueDay(one, other) ||
    isSameByBank(one, other) ||
    share(one.endToEndId, other.endToEndId) ||
    share(namedReferenceOf(one), namedReferenceOf(other)));

/** Whether the bank gave both something that would be the same if they were, and is not. */
function areToldApart(one: Telling, other: Telling): boolean {
  const [mine, theirs] = [one.identifiers, other.identifiers];
  return (
    UNIQUE.some((name) => differ(mine[name], theirs[name])) ||
    (areNumberedApart(one, other) && !isSameByBank(one, other)) ||
    (isSurelyReferred(one) && isSurelyReferred(other) && !shareBankReference(one, other)) ||
    (haveOtherAccounts(one, other) && !shareUnique(one, other))
  );
}

/** Whether their running numbers differ: reports within a day may count from their newest entry on. */
const areNumberedApart = ({ identifiers: mine }: Telling, { identifiers: theirs }: Telling) =>
  Object.keys(mine).some((name) => isRunningNumber(name) && differ(mine[name], theirs[name]));

/** Whether their payers wrote something else: such lines are never taken for one without a person. */
const areWrittenApart = (one: Telling, other: Telling): boolean =>
  (areNumberedApart(one, other) && !shareUnique(one, other) && !wroteTheSame(one, other)) ||
  (isReferred(one) && isReferred(other) && !shareBankReference(one, other)) ||
  differ(one.endToEndId, other.endToEndId) ||
  differ(one.identifiers['instructionId'], other.identifiers['instructionId']) ||
  areApart(typedReferencesOf(one), typedReferencesOf(other)) ||
  areApart(ourReferencesOf(one), ourReferencesOf(other));

/** A reference that stands where a payer can write one, as in MT940: it joins tellings, and tells none apart. */
export const DOUBTFUL = 'doubtfulReference';
const isReferred = (telling: Telling): boolean => bankReferencesOf(telling).length > 0;
const isSurelyReferred = (telling: Telling): boolean =>
  isReferred(telling) && !telling.identifiers[DOUBTFUL];

/** The bank's running number of an entry, in one kind of message: another kind has its own. */
export const runningNumber = (kind: string): string => `entryReference ${kind}`;
export const isRunningNumber = (name: string): boolean => name.startsWith('entryReference ');

type Text = string | null | undefined;

const differ = (one: Text, other: Text): boolean =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

const share = (one: Text, other: Text): boolean => typeof one === 'string' && one === other;

/** Whether they have a UETR or a transaction id in common. */
export const shareUnique = (
  { identifiers: mine }: Telling,
  { identifiers: theirs }: Telling,
): boolean => UNIQUE.some((name) => share(mine[name], theirs[name]));

export const isSameByBank = (one: Telling, other: Telling): boolean =>
  shareUnique(one, other) || shareBankReference(one, other);

const isSameByPayer = (one: Telling, other: Telling): boolean =>
  share(one.endToEndId, other.endToEndId) ||
  share(one.identifiers['instructionId'], other.identifiers['instructionId']);

/**
 * Whether a reference in common makes them one although their days differ. Banks use theirs again, and payers choose
 * theirs: the further the days are apart, the more has to be the same.
 */
function isMoved(one: Telling, other: Telling): boolean {
  if (one.status !== other.status) return true;
  if (touchingDays(one, other)) return isSameByBank(one, other) || nameTheSame(one, other);
  if (!nearDays(one, other)) return false;
  return shareUnique(one, other) || (shareBankReference(one, other) && wroteTheSame(one, other));
}

/** Whether the bank itself says that they are one, where no payer can have written it. */
export const isSurelySame = (one: Telling, other: Telling): boolean =>
  shareUnique(one, other) ||
  (isSurelyReferred(one) && isSurelyReferred(other) && shareBankReference(one, other));

/** Whether one names no order, or one that the other names, too. */
export function namesNoOther(one: Telling, other: Telling): boolean {
  const names = ourReferencesOf(one);
  return names.length === 0 || meet(names, ourReferencesOf(other));
}

/** One of them, the same however they are written and in whatever order. */
export const namedReferenceOf = (telling: Telling): string | null =>
  ourReferencesOf(telling).toSorted()[0] ?? null;

/** Whether they name the same order, or neither of them one. */
function nameTheSame(one: Telling, other: Telling): boolean {
  const [mine, theirs] = [ourReferencesOf(one), ourReferencesOf(other)];
  return mine.length + theirs.length === 0 || meet(mine, theirs);
}

const wroteTheSame = (one: Telling, other: Telling): boolean =>
  isSameByPayer(one, other) || meet(ourReferencesOf(one), ourReferencesOf(other));

/** A transaction has its own, or that of its entry, or both: those of one entry may share the entry's. */
function shareBankReference(one: Telling, other: Telling): boolean {
  const own = [one, other].map(({ identifiers }) => identifiers['transactionBankReference']);
  if (own[0] && own[1]) return isSame(own[0], own[1]);
  const theirs = bankReferencesOf(other);
  return bankReferencesOf(one).some((mine) => theirs.some((each) => isSame(mine, each)));
}

const isSame = (one: string, other: string): boolean =>
  one === other ||
  (one.length === SHORT_REFERENCE && other.startsWith(one)) ||
  (other.length === SHORT_REFERENCE && one.startsWith(other));

const haveOtherAccounts = (
  { counterparty: one }: Telling,
  { counterparty: other }: Telling,
): boolean =>
  one.accountType === 'iban' && other.accountType === 'iban' && one.account !== other.account;

const areApart = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !meet(one, other);

/** Lists can be long: each is gone through once. */
function meet(one: readonly string[], other: readonly string[]): boolean {
  const there = new Set(other);
  return one.some((each) => there.has(each));
}

const plain = (references: readonly LineReference[]): string[] =>
  references.map(({ value }) => value.replace(/\s/g, '').toUpperCase());

/** What a column of CSV calls a reference may be another one than that of camt. */
const typedReferencesOf = ({ references }: Telling): string[] =>
  plain(references.filter(({ type }) => type !== null));

const ours = new WeakMap<Telling, string[]>();

/** References that we gave payers. */
function ourReferencesOf(telling: Telling): string[] {
  const before = ours.get(telling);
  if (before) return before;
  const texts = [...plain(telling.references), telling.endToEndId ?? '', telling.text ?? ''];
  const found = [...new Set(texts.flatMap((text) => transferReferencesIn(text)))];
  ours.set(telling, found);
  return found;
}
