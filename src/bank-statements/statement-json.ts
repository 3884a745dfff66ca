import type { BankStatement, StatementLine } from './statement.js';

const numberOf = (amount: bigint | null): number | null =>
  amount === null ? null : Number(amount);

/** A line in API responses; fields that only identify bookings are omitted. */
export const lineJson = (line: StatementLine): object => ({
  ...line,
  amount: numberOf(line.amount),
  identifiers: undefined,
  mayBeShifted: undefined,
});

export const statementJson = (statement: BankStatement): object => ({
  ...statement,
  format: undefined,
  unproven: undefined,
  openingBalance: numberOf(statement.openingBalance),
  closingBalance: numberOf(statement.closingBalance),
  coversFrom: undefined,
  coversUntil: undefined,
});
