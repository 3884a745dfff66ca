import { violatedCheck } from '../database/faults.js';
import { Problem } from '../http/problems/problem.js';

/**
 * The database measures the waiting time with its own clock, which may be behind.
 * @throws Problem `bank_account_not_usable` if that is the violated check, else the error
 */
export function throwUnusable(error: unknown): never {
  if (violatedCheck(error) !== 'payouts_account_usable') throw error;
  const payoutId = /of payout (\S+)/.exec((error as Error).message)?.[1];
  throw unusable(payoutId);
}

export const unusable = (payoutId: string | undefined): Problem =>
  new Problem('bank_account_not_usable', { members: { payoutId } });
