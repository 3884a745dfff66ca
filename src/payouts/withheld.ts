import type { PayoutStatus } from '../database/payouts/payout.entity.js';

/** Where a file is, and its payouts. */
export interface FileNow {
  readonly notSentAt: Date | null;
  /** How many it was made with. */
  readonly payouts: number;
  /** Those that are in it now. */
  readonly states: readonly { readonly status: PayoutStatus; readonly payouts: number }[];
}

/** In which the money of a payout is this file's alone. */
const BOUND: ReadonlySet<PayoutStatus> = new Set(['exported', 'submitted', 'paid']);

/**
 * Why nobody may give the file to a bank any more.
 * @returns null while all its payouts are in it and none of their money can be paid out otherwise
 */
export function whyWithheld({ notSentAt, payouts, states }: FileNow): string | null {
  if (notSentAt) {
    return 'Somebody said that it was not sent, and its payouts go into another file: this one would pay them twice.';
  }
  const bound = states
    .filter(({ status }) => BOUND.has(status))
    .reduce((sum, state) => sum + state.payouts, 0);
  if (bound === payouts) return null;
  return 'A payout of it failed or came back, and can be paid out anew: this file would pay it twice.';
}
