import { readBic, readIban } from '../common/money/iban.js';
import type { AccountType } from '../database/payments/payment.entity.js';
import type { Counterparty } from './statement.js';

/** Counterparty fields as the bank wrote them; each may be missing or invalid. */
export interface PartyTexts {
  readonly name?: string | undefined;
  readonly account?: string | undefined;
  readonly bic?: string | undefined;
}

const IBAN_LIKE = /^[A-Z]{2}\d{2}[A-Z0-9]+$/;

/** An account that is not a valid IBAN is kept as text, with another account type. */
export function counterparty({ name, account, bic }: PartyTexts): Counterparty {
  const number = reference(account);
  const iban = number === null ? null : readIban(number);
  return {
    name: reference(name),
    account: iban ?? number,
    accountType: number === null ? null : iban === null ? typeOf(number) : 'iban',
    // `NOTPROVIDED` has the format of a BIC.
    bic: readBic(reference(bic) ?? ''),
  };
}

/** Collapses white space; null for blank text. */
export const textOrNull = (text: string | undefined): string | null =>
  text?.replace(/\s+/g, ' ').trim() || null;

/** An invalid IBAN or a masked number is not a domestic account number either. */
const typeOf = (account: string): AccountType =>
  IBAN_LIKE.test(account) || /[*Xx]{3}/.test(account) ? 'unknown' : 'domestic';

const MEANINGLESS = new Set(['NOTPROVIDED', 'NONREF', 'NOREF', 'NOT PROVIDED']);

/** A reference, name or account; null for blank text and placeholders such as `NOTPROVIDED`. */
export function reference(text: string | undefined): string | null {
  const value = textOrNull(text);
  return value === null || MEANINGLESS.has(value.toUpperCase()) ? null : value;
}

/** Joins distinct texts with line breaks; null if all are blank or placeholders. */
export function joinTexts(texts: readonly (string | null | undefined)[]): string | null {
  const all = texts.flatMap((text) => reference(text ?? undefined) ?? []);
  return [...new Set(all)].join('\n') || null;
}
