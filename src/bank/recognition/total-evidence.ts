import type { KnownLine } from '../../database/bank/lines/line-store.repository.js';
import type { IncomingLine } from './incoming-line.js';
import {
  bankReferencesOf,
  type BookingIdentity,
  DOUBTFUL_ACCOUNT,
  ourReferencesOf,
} from './same-booking.js';
import { isSame } from './truncated-references.js';
import { isTakingBack } from './waiting-line.js';

/**
 * Confidence that a line is the total of payments: 3 = full reference in common; 2 = reference in common as MT940
 * truncates it; 1 = the bank marks the line as a total; 0 = only the sum matches, so an operator decides.
 */
export type Sureness = 0 | 1 | 2 | 3;

export type MaybeTotal = Pick<KnownLine, 'counterpartyAccount' | 'identifiers' | 'kind'>;

export const asMaybeTotal = (line: IncomingLine): MaybeTotal => ({
  counterpartyAccount: line.counterparty.account,
  identifiers: line.identifiers,
  kind: line.kind,
});

const isCalledTotal = ({ kind }: Pick<MaybeTotal, 'kind'>): boolean => kind === 'batch_total';

/**
 * A line with the bank reference and the sum of the payments is their total. Otherwise a line for which the bank states
 * one payer or one transaction is not a total. Payers' texts do not matter: banks write the texts of one payment, or of
 * the payment file, into a total.
 */
export const canBeTotal = (line: MaybeTotal, part: Named): boolean =>
  surenessOf(line, part) > 0 || !isByReference(line);

/** Whether only the bank reference of the payments makes the line their total. */
export const isByReference = (line: MaybeTotal): boolean =>
  isOnePayment(line) && !isCalledTotal(line);

/** Whether the bank names one payer, or one transaction. */
export const isOnePayment = ({
  counterpartyAccount,
  identifiers,
}: Pick<MaybeTotal, 'counterpartyAccount' | 'identifiers'>): boolean =>
  (counterpartyAccount !== null && !identifiers[DOUBTFUL_ACCOUNT]) ||
  ['transactionBankReference', 'transactionId', 'uetr'].some((name) => identifiers[name]);

/** Whether the line is a booking of its own and no total: it names one payment, or returns one. */
export const isSingle = (line: IncomingLine): boolean =>
  isOnePayment(asMaybeTotal(line)) || line.endToEndId !== null || isTakingBack(line);

export type Named = Pick<KnownLine, 'identifiers'>;

/** Reference of the entry. An entry and its payments share it where the format has it. */
export const entryReferenceOf = ({ identifiers }: Named): string | null =>
  identifiers['entryBankReference'] ?? null;

export const fits = (one: Named, other: Named): boolean => {
  const [mine, theirs] = [entryReferenceOf(one), entryReferenceOf(other)];
  return mine === null || theirs === null || shares(one, other);
};

const shares = (one: Named, other: Named, areEqual = isSame): boolean => {
  const theirs = bankReferencesOf(other);
  return bankReferencesOf(one).some((mine) => theirs.some((each) => areEqual(each, mine)));
};

/** A truncated reference can be that of another booking, so it alone makes no total. */
export const surenessOf = (total: Named & Pick<MaybeTotal, 'kind'>, part: Named): Sureness => {
  if (shares(total, part, Object.is)) return 3;
  if (!isCalledTotal(total)) return 0;
  return shares(total, part) ? 2 : 1;
};

/** Whether the line has a payer account, an end-to-end id or an order that none of the payments has: it may be a payment. */
export const namesOther = (total: BookingIdentity, names: ReadonlySet<string>): boolean =>
  namesIn(total).some((name) => !names.has(name));

/** Payer accounts, end-to-end ids and orders of payments. */
export const namesOfParts = (parts: readonly BookingIdentity[]): Set<string> =>
  new Set(parts.flatMap(namesIn));

const namesIn = (booking: BookingIdentity): string[] => {
  const { account } = booking.counterparty;
  const isSure = account !== null && !booking.identifiers[DOUBTFUL_ACCOUNT];
  const names = [
    isSure ? `account ${account}` : null,
    booking.endToEndId,
    ...ourReferencesOf(booking),
  ];
  return names.flatMap((name) => name ?? []);
};
