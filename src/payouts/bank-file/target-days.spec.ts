import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../../common/time-zone.js';
import { nextTargetDay } from './target-days.js';

describe(nextTargetDay.name, () => {
  it.each(['2026-11-20', '2026-12-24', '2026-12-28', '2024-02-29', '2026-04-02', '2026-05-14'])(
    'keeps %s, a day like any other',
    (day) => expect(nextTargetDay(day)).toBe(day),
  );

  it.each([
    ['a Saturday', '2026-11-21', '2026-11-23'],
    ['a Sunday', '2026-11-22', '2026-11-23'],
    ['New Year', '2026-01-01', '2026-01-02'],
    ['New Year before a weekend', '2027-01-01', '2027-01-04'],
    ['Labour Day before a weekend', '2026-05-01', '2026-05-04'],
    ['Labour Day in the week', '2025-05-01', '2025-05-02'],
    ['Good Friday', '2026-04-03', '2026-04-07'],
    ['Easter Monday', '2026-04-06', '2026-04-07'],
    ['Christmas before a weekend', '2026-12-25', '2026-12-28'],
    ['Christmas in the week', '2025-12-25', '2025-12-29'],
    ['Boxing Day in the week', '2024-12-26', '2024-12-27'],
    ['the last Sunday of a year', '2028-12-31', '2029-01-02'],
  ])('goes on from %s, %s', (_, day, next) => expect(nextTargetDay(day)).toBe(next));

  it.each([
    '1999-04-04',
    '2008-03-23',
    '2011-04-24',
    '2019-04-21',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2028-04-16',
    '2035-03-25',
    '2038-04-25',
    '2049-04-18',
    '2076-04-19',
    '2100-03-28',
    '2285-03-22',
  ])('closes from Good Friday to Easter Monday round %s', (sunday) => {
    expect(nextTargetDay(addDays(sunday, -3))).toBe(addDays(sunday, -3));
    expect(nextTargetDay(addDays(sunday, -2))).toBe(addDays(sunday, 2));
    expect(nextTargetDay(addDays(sunday, 1))).toBe(addDays(sunday, 2));
  });

  it('never waits longer than five days, and never goes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (days) => {
        const day = addDays('1999-01-01', days);
        const next = nextTargetDay(day);
        expect(next >= day && next <= addDays(day, 5)).toBe(true);
        expect(nextTargetDay(next)).toBe(next);
      }),
    );
  });
});
