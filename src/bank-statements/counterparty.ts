import { readBic, readIban } from '../common/iban.js';
import type { AccountType } from '../database/payments/payment.entity.js';
import type { Counterparty } from './statement.js';

/** What a bank says about who stands on the other side; any of it may be missing or no valid number. */
export interface PartyTexts {
  readonly name?: string | undefined;
  readonly account?: string | undefined;
  readonly bic?: string | undefined;
}

const IBAN_LIKE = /^[A-Z]{2}\d{2}[A-Z0-9]+$/;

/** Keeps what the bank gave: an account that is no IBAN is a text, and is said to be one. */
export function counterparty({ name, account, bic }: PartyTexts): Counterparty {
  const number = reference(account);
  const iban = number === null ? null : readIban(number);
  return {
    name: reference(name),
    account: iban ?? number,
    accountType: number === null ? null : iban === null ? typeOf(number) : 'iban',
    // `NOTPROVIDED` has the form of a BIC.
    bic: readBic(reference(bic) ?? ''),
  };
}

/** Null instead of a text that says nothing; blanks and line ends become one blank. */
export const textOrNull = (text: string | undefined): string | null =>
  text?.replace(/\s+/g, ' ').trim() || null;

/** What looks like an IBAN and is none, or has digits crossed out, is no domestic number either. */
const typeOf = (account: string): AccountType =>
  IBAN_LIKE.test(account) || /[*Xx]{3}/.test(account) ? 'unknown' : 'domestic';

const MEANINGLESS = new Set(['NOTPROVIDED', 'NONREF', 'NOREF', 'NOT PROVIDED']);

/** A reference, name or account, or null for the words by which banks say that there is none. */
export function reference(text: string | undefined): string | null {
  const value = textOrNull(text);
  return value === null || MEANINGLESS.has(value.toUpperCase()) ? null : value;
}

/** Texts below each other, each once; null when none says anything. */
export function joinTexts(texts: readonly (string | null | undefined)[]): string | null {
  const all = texts.flatMap((text) => reference(text ?? undefined) ?? []);
  return [...new Set(all)].join('\n') || null;
}
