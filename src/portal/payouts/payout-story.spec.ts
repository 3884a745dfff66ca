import { describe, expect, it } from '@jest/globals';
import { PAYOUT_STATUSES } from '../../database/entities/payout.entity.js';
import { storyOf } from './payout-story.js';

const told = { statusReason: null, contentHash: Buffer.alloc(32), isInOldFile: false };

describe(storyOf.name, () => {
  it.each(PAYOUT_STATUSES)('says what is next for a payout that is %s', (status) => {
    for (const mayManage of [true, false]) {
      const story = storyOf({ ...told, status }, mayManage, '20 Nov 2026');
      expect(story).toMatch(/^[A-Z].*[a-z]\.$/s);
      expect(story).not.toMatch(/undefined|null|\.\.|_/);
    }
  });

  it('quotes why, with or without a full stop', () => {
    for (const statusReason of ['Account closed', 'Account closed. ']) {
      expect(storyOf({ ...told, status: 'returned', statusReason }, true, null)).toContain(
        'came back from the bank: “Account closed”. It is available again',
      );
    }
  });

  it('tells a draft that was dropped from money that was given back', () => {
    const cancelled = { ...told, status: 'cancelled' } as const;
    expect(storyOf(cancelled, true, null)).toContain('available again');
    expect(storyOf({ ...cancelled, contentHash: null }, true, null)).toContain('No money');
  });

  it('says that the bank did not get a file, and offers no change then', () => {
    const back = { ...told, status: 'pending_approval', isInOldFile: true } as const;
    expect(storyOf(back, true, null)).toMatch(/^The bank did not get the file.* once more/);
    expect(storyOf(back, true, null)).not.toContain('change');
  });

  it('does not tell those to do something who cannot', () => {
    expect(storyOf({ ...told, status: 'draft' }, false, null)).toContain('An owner');
    expect(storyOf({ ...told, status: 'pending_approval' }, false, null)).not.toContain('you can');
  });
});
