import type { BankStatement, StatementLine } from './statement.js';

const numberOf = (amount: bigint | null): number | null =>
  amount === null ? null : Number(amount);

/** A line as the interface shows it; what only tells bookings apart stays inside. */
export const lineJson = (line: StatementLine): object => ({
  ...line,
  amount: numberOf(line.amount),
  identifiers: undefined,
});

export const statementJson = (statement: BankStatement): object => ({
  ...statement,
  format: undefined,
  openingBalance: numberOf(statement.openingBalance),
  closingBalance: numberOf(statement.closingBalance),
  coversFrom: undefined,
  coversUntil: undefined,
});
