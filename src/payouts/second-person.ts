import type { SingleOperator, Tie } from '../database/payouts/payout-hand.repository.js';
import type { PayoutWait } from '../database/payouts/payout-money.repository.js';
import type { ErrorCode } from '../http/problems/errors.js';

/** Reason why a user cannot approve a payout. */
export interface Bar {
  readonly code: Extract<
    ErrorCode,
    'second_person_required' | 'approver_of_merchant' | 'payout_not_possible'
  >;
  /** Sentence shown to the user. */
  readonly text: string;
}

/** Sorted by precedence. */
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
  matched: 'You matched money of this payout to its order',
  match_undone: 'You undid a match of money of this payout',
  money_accepted: 'You accepted late money of this payout',
  file_brought: 'You imported a bank statement with money of this payout',
  profile_written:
    'You wrote the CSV profile by which a bank statement with money of this payout was read',
  marked_distinct: 'You decided that a bank booking of this payout is not a duplicate',
  marked_distinct_undone: 'You took back that a bank booking of this payout is not a duplicate',
  same_booking: 'You decided that two bank bookings of this payout are the same',
  same_booking_undone: 'You took back that two bank bookings of this payout are the same',
  account_proposed: 'You proposed the collection account on which money of this payout came in',
  payer_added: 'You added the payer of an order of this payout',
  return_booked: 'You booked the return of a payment of this payout',
  return_undone: 'You undid the return of a payment of this payout',
  return_spared:
    'You decided that an outgoing bank booking is no return of money of this merchant, from which it may have come',
  report_handled: 'You closed a provider’s report about money of this payout',
  refund_recorded: 'You recorded a refund of an order of this payout',
  transfers_allowed: 'You allowed bank transfers to the merchant of this payout',
  outgoing_decided:
    'You decided what an outgoing bank booking was that could be a return of money of this payout',
  outgoing_brought:
    'You imported a bank statement that could include a return of money of this payout',
  profile_changed:
    'You wrote or removed a CSV profile that could hide a return of money of this payout',
  member: 'You belong to the merchant, or did once',
};

/**
 * @param single rule for a single operator; null if a second person is required
 * @returns null for a user who took no part in the payout, or whose waiting time as the only operator is over
 */
export function barTo(ties: readonly Tie[], single: SingleOperator | null, now: Date): Bar | null {
  const tie = (Object.keys(CLAUSES) as Tie[]).find((each) => ties.includes(each));
  if (tie === undefined) return null;
  if (ties.includes('member') || !single)
    return {
      code: tie === 'member' ? 'approver_of_merchant' : 'second_person_required',
      text: `${CLAUSES[tie]}, so another operator has to approve it.`,
    };
  if (single.until && single.until <= now) return null;
  const when = single.until
    ? `from ${minuteText(single.until)} on`
    : `${single.hours} hours after the e-mails about it have been sent`;
  return {
    code: 'second_person_required',
    text: `${CLAUSES[tie]}. As the only operator you can approve it ${when}.`,
  };
}

const WAITS: Readonly<Record<PayoutWait, string>> = {
  account_waits:
    'The payer entered the account of this refund, because the bank named none. It can be approved 24 hours after an owner of the merchant has confirmed the account, and the e-mails to the owners were sent.',
  return_waits:
    'A return is waiting on an account where money of this payout came in. It may be a return of this money: say what it is under “Bank” first. If the bank has only announced it, import the statements until the next day.',
  left_before:
    'A bank statement says that this money was sent before, by an earlier payout or file. Review that line under “Bank” first. If the bank sent the money back in a credit without the ID of that payout, another operator marks the credit as not a payment, with the ID as the reason. The operator who reported the payout as failed, returned or not sent cannot settle it.',
  report_waits:
    'A payment provider reported something about money of this payout that contradicts its order, or that is not applied yet. Review the report under “Unallocated funds” first.',
  money_went_back:
    'Money of an order in this payout went back after it was requested. Reject it: a new payout pays what is left.',
  balance_negative:
    'Money of the merchant went back, and the balance without this payout is negative. Reject it, or wait until the balance is settled.',
};

/** Reason why no user can approve a payout. */
export const barOf = (wait: PayoutWait): Bar => ({
  code: 'payout_not_possible',
  text: WAITS[wait],
});

/** Rounds up to the minute. */
const minuteText = (moment: Date): string =>
  `${new Date(Math.ceil(moment.getTime() / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
