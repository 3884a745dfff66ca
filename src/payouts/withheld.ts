import type { PayoutStatus } from '../database/payouts/payout.entity.js';

/** State of a file and its payouts. */
export interface FileNow {
  readonly notSentAt: Date | null;
  /** Payouts at export. */
  readonly payouts: number;
  /** Current payouts by status. */
  readonly states: readonly { readonly status: PayoutStatus; readonly payouts: number }[];
}

/** States in which the money of a payout belongs to this file only. */
const BOUND: ReadonlySet<PayoutStatus> = new Set(['exported', 'submitted', 'paid']);

/**
 * Reason why the file must not be given to a bank.
 * @returns null while it contains all its payouts and none can be paid out otherwise
 */
export function whyWithheld({ notSentAt, payouts, states }: FileNow): string | null {
  if (notSentAt) {
    return 'It was recorded as not sent, and its payouts go into another file: this one would pay them twice.';
  }
  const bound = states
    .filter(({ status }) => BOUND.has(status))
    .reduce((sum, state) => sum + state.payouts, 0);
  if (bound === payouts) return null;
  return 'A payout of it failed or came back, and can be paid out anew: this file would pay it twice.';
}
