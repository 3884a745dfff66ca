import { describe, expect, it } from '@jest/globals';
import { HAND_ACTS } from '../database/payouts/payout-hand.entity.js';
import { barTo } from './second-person.js';

describe(barTo, () => {
  it('lets somebody approve who has nothing to do with the payout', () => {
    expect(barTo([])).toBeNull();
  });

  it.each(HAND_ACTS)('stops whoever %s', (act) => {
    expect(barTo([act])?.code).toBe('second_person_required');
    expect(barTo([act])?.text).toMatch(/^You .+, so another operator has to approve it\.$/);
  });

  it('says each in words of its own, and belonging to the merchant after all else', () => {
    expect(new Set(HAND_ACTS.map((act) => barTo([act])?.text)).size).toBe(HAND_ACTS.length);
    expect(barTo(['member'])?.code).toBe('approver_of_merchant');
    expect(barTo(['member', 'changed', 'requested'])).toEqual(barTo(['requested']));
  });
});
