import type { Tie } from '../database/payouts/payout-hand.repository.js';
import type { ErrorCode } from '../http/errors.js';

/** Why somebody cannot approve a payout. */
export interface Bar {
  readonly code: Extract<ErrorCode, 'second_person_required' | 'approver_of_merchant'>;
  /** A sentence for whoever wants to approve. */
  readonly text: string;
}

/** In the order in which they are told. */
const CLAUSES: Readonly<Record<Tie, string>> = {
  requested: 'You asked for this payout',
  submitted: 'You submitted this payout',
  changed: 'You changed this payout',
  scheduled: 'You made or changed the schedule that asked for this payout',
  account_added: 'You added the bank account to which it goes, or went before',
  account_confirmed: 'You confirmed the bank account to which it goes, or went before',
  not_sent: 'You said that a file with this payout was not sent',
  file_made: 'You made a file with this payout, which was not sent',
  file_downloaded: 'You downloaded a file with this payout, which was not sent',
  failed: 'You said that this payout failed',
  returned: 'You said that this payout came back',
  earlier: 'You had a hand in how an earlier payout of the same money ended',
  member: 'You belong to the merchant, or did once',
};

/** @returns null for somebody who has nothing to do with the payout */
export function barTo(ties: readonly Tie[]): Bar | null {
  const tie = (Object.keys(CLAUSES) as Tie[]).find((each) => ties.includes(each));
  if (tie === undefined) return null;
  return {
    code: tie === 'member' ? 'approver_of_merchant' : 'second_person_required',
    text: `${CLAUSES[tie]}, so another operator has to approve it.`,
  };
}
