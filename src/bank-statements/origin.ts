import type { LineIdentifiers, StatementLine } from './statement.js';

/**
 * Trust in the values of a line. Payers write arbitrary texts, including the separators of banks. Readers therefore
 * fill `counterparty`, `bankReference`, `direction`, `kind`, `returned`, the days, the amount and all identifiers not
 * listed below only from fields that the bank alone delimits. Values that may be the payer's words are null and stay in
 * `text`: null means that the bank gave no reliable value.
 *
 * Two exceptions are for display only: `counterparty.bic`, and in MT940 `bankReference` where `entryBankReference` is
 * null.
 *
 * Fields listed here contain the payer's words even in the right place. Equal or different values in them prove nothing
 * about two bookings.
 */
export const PAYER_WRITTEN = [
  'endToEndId',
  'references',
  'text',
] as const satisfies (keyof StatementLine)[];

/**
 * In MT940 and MT942 also `entryReference`: the reference for the account owner, often chosen by the payer. Their
 * `entryBankReference` is the payer's where that reference reads like `NONREF//X`.
 */
export const PAYER_WRITTEN_IDENTIFIERS = [
  'instructionId',
  'messageId',
  'paymentInformationId',
] as const satisfies (keyof LineIdentifiers)[];
