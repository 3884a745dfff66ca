import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../database/ledger/transfer.entity.js';
import { changeBy, unallocatedIn, unallocatedText } from './ledger-text.js';

const moved = (debit: Account, credit: Account, amount: number, currency = 'EUR') => ({
  debit,
  credit,
  amount,
  currency,
});

describe(changeBy.name, () => {
  it.each([
    [moved('clearing:sandbox', 'available', 5), 5],
    [moved('clearing:sandbox', 'unallocated', 5), 5],
    [moved('unallocated', 'available', 5), 5],
    [moved('available', 'fees', 5), -5],
    [moved('fees', 'available', 5), 5],
    [moved('unallocated', 'clearing:sandbox', 5), -5],
  ])('counts %j as its merchant does', (transfer, change) =>
    expect(changeBy(transfer)).toBe(change),
  );
});

describe(unallocatedIn.name, () => {
  it('adds up what is still kept apart, by currency', () => {
    const transfers = [
      moved('clearing:sandbox', 'unallocated', 40),
      moved('clearing:sandbox', 'available', 60),
      moved('unallocated', 'available', 40),
      moved('clearing:sandbox', 'unallocated', 7, 'CHF'),
      moved('available', 'fees', 3),
    ];
    expect(unallocatedIn(transfers)).toEqual([{ currency: 'CHF', amount: 7 }]);
    expect(unallocatedIn(transfers.slice(0, 2))).toEqual([{ currency: 'EUR', amount: 40 }]);
  });
});

describe(unallocatedText.name, () => {
  it.each([
    ['open', 'EUR', 'until the order is paid in full'],
    ['processing', 'EUR', 'until the order is paid in full'],
    ['open', 'CHF', 'does not match a paid order'],
    ['expired', 'EUR', 'does not match a paid order'],
    ['paid', 'EUR', 'exceeds the order amount'],
    ['paid', 'CHF', 'does not match a paid order'],
  ] as const)('of an order that is %s, in %s', (status, currency, label) => {
    const text = unallocatedText({ status, currency: 'EUR' }, { amount: 500, currency });
    expect(text).toContain(`5.00 ${currency}`);
    expect(text).toContain(label);
  });
});
