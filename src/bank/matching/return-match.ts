import type { BankAllocation } from '../../database/bank/matching/bank-allocation.entity.js';
import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import { NAMES_OF_BOOKING } from '../../database/bank/matching/gone-back.statements.js';
import { sureReferences } from './reference-clues.js';

/**
 * Whether a return takes back a payment that shares a name with it. A return that names other orders belongs to another
 * payment. Banks reuse references and payers reuse end-to-end ids: a different account contradicts, and a bank
 * reference needs the same account or a payer's reference in addition.
 */
export function isReturnOf(back: BankLine, paid: BankLine): boolean {
  const named = new Set(sureReferences(paid).map(({ reference }) => reference));
  const references = sureReferences(back);
  if (!references.every(({ reference }) => named.has(reference))) return false;
  if (share(uniqueNamesOf(back), uniqueNamesOf(paid))) return true;
  // It may be a return of another payment of the same order.
  if (back.endToEndId && paid.endToEndId && back.endToEndId !== paid.endToEndId) return false;
  if ([back, paid].every(({ counterpartyAccountType }) => counterpartyAccountType === 'iban'))
    return back.counterpartyAccount === paid.counterpartyAccount;
  return references.length > 0 || share(known([back.endToEndId]), known([paid.endToEndId]));
}

/**
 * Whether only a bank reference and the payer's account connect a return with the payment. Some banks number their
 * bookings anew each day, so the payer may have another payment of this amount.
 */
export const sharesOnlyBankReference = (back: BankLine, paid: BankLine): boolean =>
  !share(uniqueNamesOf(back), uniqueNamesOf(paid)) &&
  !share(known([back.endToEndId]), known([paid.endToEndId])) &&
  sureReferences(back).length === 0;

const uniqueNamesOf = ({ identifiers }: BankLine): string[] =>
  known([identifiers['transactionId'], identifiers['uetr']]);

const share = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((name) => others.includes(name));

/** All identifiers of the booking, of payer and banks. */
export const namesOf = ({ endToEndId, identifiers }: BankLine): string[] =>
  known([endToEndId, ...NAMES_OF_BOOKING.map((name) => identifiers[name])]);

export const known = (names: readonly (string | null | undefined)[]): string[] => [
  ...new Set(names.filter((name) => name !== null && name !== undefined)),
];

/** Amount that a line took back from an allocation, in minor units. */
export interface ReturnedPart {
  readonly allocation: BankAllocation;
  readonly left: number;
}

export const sumOf = (parts: readonly ReturnedPart[]): number =>
  parts.reduce((sum, { left }) => sum + left, 0);
