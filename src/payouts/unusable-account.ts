import { violatedCheck } from '../database/faults.js';
import { Problem } from '../http/problem.js';

/**
 * The database counts the day to object by its own clock, which may be behind this process's.
 * @throws Problem `bank_account_not_usable` where that is what the database refused, else the error
 */
export function throwUnusable(error: unknown): never {
  if (violatedCheck(error) !== 'payouts_account_usable') throw error;
  const payoutId = /of payout (\S+)/.exec((error as Error).message)?.[1];
  throw unusable(payoutId);
}

export const unusable = (payoutId: string | undefined): Problem =>
  new Problem('bank_account_not_usable', { members: { payoutId } });
