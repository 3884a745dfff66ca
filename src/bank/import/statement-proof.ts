import type { StatementLine } from '../../bank-statements/statement.js';
import type { UnprovenReason } from '../../database/bank/lines/bank-line.entity.js';
import type { StoringStatement } from '../../database/bank/lines/line-store.repository.js';
import { dayOf, undatedKey } from '../recognition/line-key.js';

/** Intraday reports never have balances. In CSV, only the balances cannot be forged by a payer. */
const WITHOUT_BALANCES = /^(camt\.05[24]|mt942)/i;
/** Maximum milliseconds of a booking day ahead of the clock: the bank may be in another time zone. */
const AHEAD_MAX_MS = 2 * 86_400_000;

type Proof = Pick<StoringStatement, 'format' | 'balanced' | 'unproven' | 'reread'>;

/** Why the balances do not prove a line; null if they do, or if the message type has none. */
export function unprovenBy(
  { format, balanced, unproven, reread }: Proof,
  line: StatementLine,
  now: Date,
): UnprovenReason | null {
  const { entry, status } = line;
  if (reread === 'all' || reread?.has(undatedKey(line))) return 'read_before';
  if (status === 'booked' && Date.parse(dayOf(line)) > now.getTime() + AHEAD_MAX_MS)
    return 'booked_in_future';
  if (balanced === false) return 'statement_not_balanced';
  const isProven = balanced === true && !unproven?.has(entry);
  return isProven || WITHOUT_BALANCES.test(format) ? null : 'statement_without_balance';
}
