import type { StatementLine } from '../bank-statements/statement.js';
import type { UnprovenReason } from '../database/bank/bank-line.entity.js';
import type { StatementHead } from './checked-file.js';

/** Kinds of messages that have balances of the bank; reports within a day have none by nature. */
const WITH_BALANCES = /^(camt\.053|mt940)/i;

/** Why the balances of a statement do not prove a line of it; null when they do, or when its kind has none. */
export function unprovenBy(
  { format, balanced }: Pick<StatementHead, 'format' | 'balanced'>,
  { needsBalance }: Pick<StatementLine, 'needsBalance'>,
): UnprovenReason | null {
  if (balanced === false) return 'statement_not_balanced';
  const needsProof = needsBalance || WITH_BALANCES.test(format);
  return balanced === null && needsProof ? 'statement_without_balance' : null;
}
