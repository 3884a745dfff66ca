import type { LineIdentifiers, StatementLine } from './statement.js';

/**
 * Where the values of a line come from. A payer writes texts that hold anything, also the marks by which banks tell fields
 * apart. So a reader fills `counterparty`, `bankReference`, `direction`, `kind`, `returned`, the days, the amount and all
 * identifiers that are not listed below only from a place that the bank alone delimits. What could as well be a payer's
 * words is null there, and stays in `text`: null means that the bank gave no value of which one can be sure.
 *
 * Two exceptions are for reading only: `counterparty.bic`, and in MT940 `bankReference` where `entryBankReference` is null.
 *
 * What is listed here are the payer's words even in their right place. That two bookings differ in them, or agree in
 * them, proves nothing.
 */
export const PAYER_WRITTEN = [
  'endToEndId',
  'references',
  'text',
] as const satisfies (keyof StatementLine)[];

/** In MT940 and MT942 also `entryReference`: it is the reference for the account owner, often what the payer chose. */
export const PAYER_WRITTEN_IDENTIFIERS = [
  'instructionId',
  'messageId',
  'paymentInformationId',
] as const satisfies (keyof LineIdentifiers)[];
