import { describe, expect, it } from '@jest/globals';
import { PAYOUT_STATUSES } from '../../database/payouts/payout.entity.js';
import { payoutSummary } from './payout-summary.js';

const payout = {
  statusReason: null,
  contentHash: Buffer.alloc(32),
  isInOldFile: false,
  accountFault: null,
};

describe(payoutSummary.name, () => {
  it.each(PAYOUT_STATUSES)('says what is next for a payout that is %s', (status) => {
    for (const mayManage of [true, false]) {
      const summary = payoutSummary({ ...payout, status }, mayManage, '20 Nov 2026');
      expect(summary).toMatch(/^[A-Z].*[a-z]\.$/s);
      expect(summary).not.toMatch(/undefined|null|\.\.|_/);
    }
  });

  it('quotes why, with or without a full stop', () => {
    for (const statusReason of ['Account closed', 'Account closed. ']) {
      expect(payoutSummary({ ...payout, status: 'returned', statusReason }, true, null)).toContain(
        'Returned by the bank: “Account closed”. The money is available again',
      );
    }
  });

  it('tells a draft that was dropped from money that was given back', () => {
    const cancelled = { ...payout, status: 'cancelled' } as const;
    expect(payoutSummary(cancelled, true, null)).toContain('available again');
    expect(payoutSummary({ ...cancelled, contentHash: null }, true, null)).toContain('No money');
  });

  it('says that the bank did not get a file, and offers no change then', () => {
    const back = { ...payout, status: 'pending_approval', isInOldFile: true } as const;
    expect(payoutSummary(back, true, null)).toMatch(
      /^The bank file with this payout was not sent.* again/,
    );
    expect(payoutSummary(back, true, null)).not.toContain('change');
  });

  it('does not tell those to do something who cannot', () => {
    expect(payoutSummary({ ...payout, status: 'draft' }, false, null)).toContain('An owner');
    expect(payoutSummary({ ...payout, status: 'pending_approval' }, false, null)).not.toContain(
      'you can',
    );
  });
});
