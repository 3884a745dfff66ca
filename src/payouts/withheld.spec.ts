import { describe, expect, it } from '@jest/globals';
import { PAYOUT_STATUSES, type PayoutStatus } from '../database/payouts/payout.entity.js';
import { whyWithheld } from './withheld.js';

const file = (status: PayoutStatus) => ({
  notSentAt: null,
  payouts: 3,
  states: [
    { status: 'paid' as const, payouts: 2 },
    { status, payouts: 1 },
  ],
});

describe(whyWithheld, () => {
  it('withholds a file once the money of one of its payouts is free', () => {
    const handedOut = PAYOUT_STATUSES.filter((status) => whyWithheld(file(status)) === null);
    expect(handedOut).toEqual(['exported', 'submitted', 'paid']);
    expect(whyWithheld(file('failed'))).toContain('pay it twice');
  });

  it('withholds a file that a payout has left', () => {
    expect(whyWithheld({ ...file('paid'), payouts: 4 })).toContain('pay it twice');
    expect(whyWithheld({ notSentAt: null, payouts: 1, states: [] })).toContain('pay it twice');
  });

  it('withholds a file that was not sent, wherever its payouts are', () => {
    const notSentAt = new Date();
    expect(whyWithheld({ ...file('paid'), notSentAt })).toContain('not sent');
  });
});
