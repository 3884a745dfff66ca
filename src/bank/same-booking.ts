import type { LineIdentifiers, LineReference } from '../bank-statements/statement.js';
import { transferReferencesIn } from '../common/creditor-reference.js';
import { SHORT_REFERENCE } from '../database/bank/line-store.repository.js';
import { type Dated, sameDay, touchingDays } from './line-key.js';

/** What tells a booking of an account from others of the same amount. */
export interface Telling extends Dated {
  readonly status: 'booked' | 'announced';
  readonly counterparty: { readonly account: string | null; readonly accountType: string | null };
  readonly references: readonly LineReference[];
  readonly endToEndId: string | null;
  readonly text: string | null;
  readonly identifiers: Readonly<Record<string, string | null>>;
}

/** How sure it is that two tellings mean one booking; 0 = they do not. */
export type Likeness = 0 | 1 | 2 | 3 | 4;

/** Each is unique where it was made: two bookings with other ones are two. */
const UNIQUE = [
  'uetr',
  'transactionId',
  'instructionId',
] as const satisfies (keyof LineIdentifiers)[];

export const bankReferencesOf = ({ identifiers }: Pick<Telling, 'identifiers'>): string[] =>
  [identifiers['transactionBankReference'], identifiers['entryBankReference']].flatMap(
    (reference) => reference ?? [],
  );

/**
 * 4: by a reference, on the same day; 3: by a reference, on days nearby; 2: by payer or text; 1: nothing is against it.
 * Both have the same account, direction, amount and currency.
 */
export function likeness(one: Telling, other: Telling): Likeness {
  if (contradict(one, other)) return 0;
  if (shareReference(one, other)) {
    if (sameDay(one, other)) return 4;
    const isMoved = one.status !== other.status;
    return isMoved || touchingDays(one, other) ? 3 : 0;
  }
  if (!sameDay(one, other)) return 0;
  const { counterparty, text } = one;
  const isAlike =
    (counterparty.account !== null && counterparty.account === other.counterparty.account) ||
    (text !== null && text === other.text);
  return isAlike ? 2 : 1;
}

/** Whether something that both tell, and that would be the same, is not. */
function contradict(one: Telling, other: Telling): boolean {
  const [mine, theirs] = [one.identifiers, other.identifiers];
  return (
    UNIQUE.some((name) => differ(mine[name], theirs[name])) ||
    differ(one.endToEndId, other.endToEndId) ||
    Object.keys(mine).some((name) => isNumber(name) && differ(mine[name], theirs[name])) ||
    (bankReferencesOf(one).length > 0 &&
      bankReferencesOf(other).length > 0 &&
      !shareBankReference(one, other)) ||
    haveOtherAccounts(one, other) ||
    areApart(typedReferencesOf(one), typedReferencesOf(other)) ||
    areApart(ourReferencesOf(one), ourReferencesOf(other))
  );
}

/** The bank's running number of an entry, in one kind of message: another kind has its own. */
export const runningNumber = (kind: string): string => `entryReference ${kind}`;
const isNumber = (name: string): boolean => name.startsWith('entryReference ');

type Text = string | null | undefined;

const differ = (one: Text, other: Text): boolean =>
  typeof one === 'string' && typeof other === 'string' && one !== other;

function shareReference(one: Telling, other: Telling): boolean {
  const [mine, theirs] = [one.identifiers, other.identifiers];
  return (
    UNIQUE.some((name) => typeof mine[name] === 'string' && mine[name] === theirs[name]) ||
    (one.endToEndId !== null && one.endToEndId === other.endToEndId) ||
    shareBankReference(one, other)
  );
}

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

/** Lists can be long: each is gone through once. */
function areApart(one: readonly string[], other: readonly string[]): boolean {
  const there = new Set(other);
  return one.length > 0 && other.length > 0 && !one.some((each) => there.has(each));
}

const plain = (references: readonly LineReference[]): string[] =>
  references.map(({ value }) => value.replace(/\s/g, '').toUpperCase());

/** What a column of CSV calls a reference may be another one than that of camt. */
const typedReferencesOf = ({ references }: Telling): string[] =>
  plain(references.filter(({ type }) => type !== null));

const ours = new WeakMap<Telling, string[]>();

/** References that we gave payers: two bookings that name different ones are two, whatever else they share. */
function ourReferencesOf(telling: Telling): string[] {
  const before = ours.get(telling);
  if (before) return before;
  const texts = [...plain(telling.references), telling.endToEndId ?? '', telling.text ?? ''];
  const found = [...new Set(texts.flatMap((text) => transferReferencesIn(text)))];
  ours.set(telling, found);
  return found;
}
