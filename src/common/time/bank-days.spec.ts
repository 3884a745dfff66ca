import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from './time-zone.js';
import {
  bankDaysAfter,
  bankDaysBefore,
  deadlineDay,
  lastDayBefore,
  nextBankDay,
  transferDeadline,
} from './bank-days.js';

describe(nextBankDay.name, () => {
  it.each(['2026-11-20', '2026-12-24', '2026-12-28', '2024-02-29', '2026-04-02', '2026-05-14'])(
    'keeps %s, a day like any other',
    (day) => expect(nextBankDay(day)).toBe(day),
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
  ])('goes on from %s, %s', (_, day, next) => expect(nextBankDay(day)).toBe(next));

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
    expect(nextBankDay(addDays(sunday, -3))).toBe(addDays(sunday, -3));
    expect(nextBankDay(addDays(sunday, -2))).toBe(addDays(sunday, 2));
    expect(nextBankDay(addDays(sunday, 1))).toBe(addDays(sunday, 2));
  });

  it('never waits longer than five days, and never goes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (days) => {
        const day = addDays('1999-01-01', days);
        const next = nextBankDay(day);
        expect(next >= day && next <= addDays(day, 5)).toBe(true);
        expect(nextBankDay(next)).toBe(next);
      }),
    );
  });
});

describe(bankDaysBefore.name, () => {
  it.each([
    ['2026-11-20', 2, '2026-11-18'],
    ['2026-11-23', 1, '2026-11-20'],
    ['2026-11-22', 1, '2026-11-20'],
    ['2026-11-23', 2, '2026-11-19'],
    ['2026-04-08', 2, '2026-04-02'],
    ['2026-11-23', 0, '2026-11-23'],
  ])('goes back from %s by %i to %s', (day, days, before) =>
    expect(bankDaysBefore(day, days)).toBe(before),
  );
});

describe(bankDaysAfter.name, () => {
  it.each([
    ['2026-11-20', 0, '2026-11-20'],
    ['2026-11-20', 1, '2026-11-23'],
    ['2026-11-20', 3, '2026-11-25'],
    ['2026-11-22', 3, '2026-11-25'],
    ['2026-12-23', 3, '2026-12-29'],
    ['2026-04-01', 3, '2026-04-08'],
  ])('of %s, %d, is %s', (day, days, last) => expect(bankDaysAfter(day, days)).toBe(last));
});

describe(transferDeadline.name, () => {
  it.each([
    ['a bank day', '2026-11-20T00:00:00.000Z', 14, '2026-12-04T23:59:59.999Z'],
    ['a Saturday', '2026-11-20T23:59:59.999Z', 15, '2026-12-07T23:59:59.999Z'],
    ['Christmas', '2026-12-11T12:00:00.000Z', 14, '2026-12-28T23:59:59.999Z'],
  ])('moves on from %s', (_, now, days, end) => {
    const deadline = transferDeadline(new Date(now), days);
    expect(deadline.toISOString()).toBe(end);
    expect(deadlineDay(deadline)).toBe(end.slice(0, 10));
  });
});

describe(lastDayBefore.name, () => {
  it.each([
    ['2026-11-26', 3, '2026-11-22'],
    ['2026-11-27', 3, '2026-11-23'],
    ['2026-11-25', 3, '2026-11-19'],
    ['2026-11-22', 3, '2026-11-17'],
    ['2026-12-30', 3, '2026-12-23'],
  ])('of %s, %d bank days back, is %s', (today, days, last) =>
    expect(lastDayBefore(today, days)).toBe(last),
  );

  it('is the latest day of which it is true', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.nat(5), (offset, days) => {
        const today = addDays('2020-01-01', offset);
        const last = lastDayBefore(today, days);
        expect(bankDaysAfter(last, days) < today).toBe(true);
        expect(bankDaysAfter(addDays(last, 1), days) < today).toBe(false);
      }),
    );
  });
});
