import { describe, expect, it } from '@jest/globals';
import { MONEY_ACTS } from '../database/payouts/money-hand.entity.js';
import { HAND_ACTS } from '../database/payouts/payout-hand.entity.js';
import { barTo } from './second-person.js';

const ACTS = [...HAND_ACTS, ...MONEY_ACTS];
const NOW = new Date('2026-05-02T10:00:00.000Z');

describe(barTo, () => {
  it('lets somebody approve who has nothing to do with the payout', () => {
    expect(barTo([], null, NOW)).toBeNull();
  });

  it.each(ACTS)('stops whoever %s', (act) => {
    const bar = barTo([act], null, NOW);
    expect(bar?.code).toBe('second_person_required');
    expect(bar?.text).toMatch(/^You .+, so another operator has to approve it\.$/);
  });

  it('says each in words of its own, and belonging to the merchant after all else', () => {
    expect(new Set(ACTS.map((act) => barTo([act], null, NOW)?.text)).size).toBe(ACTS.length);
    expect(barTo(['member'], null, NOW)?.code).toBe('approver_of_merchant');
    expect(barTo(['member', 'changed', 'requested'], null, NOW)).toEqual(
      barTo(['requested'], null, NOW),
    );
  });

  it('lets a single operator wait for the e-mails and the time, and a member never', () => {
    const single = (until: string | null) =>
      ({ until: until && new Date(until), hours: 24 }) as never;
    expect(barTo(['matched'], single(null), NOW)?.text).toBe(
      'You matched money of this payout to its order. As the only operator you can approve it 24 hours after the e-mails about it have been sent.',
    );
    expect(barTo(['matched'], single('2026-05-02T10:00:00.001Z'), NOW)?.text).toMatch(
      / As the only operator you can approve it from 2026-05-02 10:01 UTC on\.$/,
    );
    expect(barTo(['matched'], single('2026-05-02T10:00:00.000Z'), NOW)).toBeNull();
    expect(barTo(['member', 'matched'], single('2026-05-02T10:00:00.000Z'), NOW)?.text).toMatch(
      /another operator has to approve it/,
    );
  });
});
