import { describe, expect, it } from '@jest/globals';
import type { BankDayTotals } from '../../database/bank/files/bank-balance.repository.js';
import { dailyBalances } from './daily-balances.js';

const NOTHING = { matched: 0, returned: 0, paidOut: 0, unmatched: 0, other: 0 };

const on = (date: number, of: Partial<BankDayTotals> = {}): BankDayTotals => ({
  account: 'DE89370400440532013000',
  currency: 'EUR',
  day: `2026-11-${String(date).padStart(2, '0')}`,
  ...NOTHING,
  openings: [],
  closings: [],
  ...of,
});

/** Day, opening, closing and what is unexplained. */
const short = (days: readonly BankDayTotals[]) =>
  dailyBalances(days).map(({ day, opening, closing, unexplained }) => [
    Number(day.slice(-2)),
    opening,
    closing,
    unexplained,
  ]);

describe(dailyBalances.name, () => {
  it('leads from the first opening to each closing balance', () => {
    const parts = { matched: 500, returned: -200, paidOut: -100, unmatched: 30, other: -5 };
    const days = [
      on(2, { ...parts, openings: [1_000], closings: [1_225] }),
      on(3, { other: -225, openings: [1_225], closings: [1_000] }),
    ];
    expect(dailyBalances(days)).toEqual([
      expect.objectContaining({ ...parts, opening: 1_000, closing: 1_225, unexplained: 0 }),
      expect.objectContaining({ opening: 1_225, closing: 1_000, unexplained: 0 }),
    ]);
    expect(dailyBalances(days)[0]).not.toHaveProperty('openings');
  });

  it('carries on over days of which no statement tells', () => {
    const days = [on(2, { matched: 5, openings: [0], closings: [5] }), on(4, { unmatched: 7 })];
    expect(short(days)).toEqual([
      [2, 0, 5, 0],
      [4, 5, 12, 0],
    ]);
  });

  it('shows what is missing between two statements on the day on which it is known', () => {
    const days = [
      on(2, { matched: 5, openings: [0], closings: [5] }),
      on(4, { matched: 1, openings: [8], closings: [9] }),
      on(5, { matched: 1, openings: [9], closings: [10] }),
    ];
    expect(short(days)).toEqual([
      [2, 0, 5, 0],
      [4, 5, 9, 3],
      [5, 9, 10, 0],
    ]);
  });

  it('shows a line that a statement does not have', () =>
    expect(short([on(2, { matched: 7, openings: [0], closings: [5] })])).toEqual([[2, 0, 5, -2]]));

  it('begins with nothing where no statement ever told a balance', () =>
    expect(short([on(2, { matched: 7 }), on(3, { other: -9 })])).toEqual([
      [2, 0, 7, 0],
      [3, 7, -2, 0],
    ]));

  it('reckons back to days before the first statement', () =>
    expect(
      short([on(2, { matched: 7 }), on(3, { matched: 1, openings: [57], closings: [58] })]),
    ).toEqual([
      [2, 50, 57, 0],
      [3, 57, 58, 0],
    ]));

  it('knows the end of a day of several statements, in whatever order they came', () => {
    const pages = { matched: 70, openings: [100, 0], closings: [70, 100] };
    expect(short([on(2, pages)])).toEqual([[2, 0, 70, 0]]);
    const again = { openings: [100, 100, 0], closings: [70, 70, 100] };
    expect(short([on(2, { ...pages, ...again })])).toEqual([[2, 0, 70, 0]]);
    expect(short([on(2, { matched: 0, openings: [0, 50], closings: [50, 0] })])).toEqual([
      [2, 0, 0, 0],
    ]);
  });

  it('takes a balance that is told twice for one', () =>
    expect(short([on(2, { matched: 5, openings: [0, 0], closings: [5, 5] })])).toEqual([
      [2, 0, 5, 0],
    ]));

  it('understands statements whose opening balance has the day of the last closing', () => {
    const days = [
      on(2, { openings: [10] }),
      on(3, { matched: 5, openings: [15], closings: [15] }),
      on(4, { matched: 2, openings: [17], closings: [17] }),
      on(5, { other: -1, closings: [16] }),
    ];
    expect(short(days)).toEqual([
      [3, 10, 15, 0],
      [4, 15, 17, 0],
      [5, 17, 16, 0],
    ]);
  });

  it('keeps accounts and currencies apart', () => {
    const days = [
      on(2, { account: 'A', matched: 5 }),
      on(2, { account: 'A', currency: 'USD', matched: 6 }),
      on(2, { account: 'B', matched: 7 }),
    ];
    expect(dailyBalances(days).map(({ closing }) => closing)).toEqual([5, 6, 7]);
  });

  it('leaves out days on which nothing happened', () =>
    expect(short([on(2, { openings: [5] }), on(3, {})])).toEqual([]));

  it('stays within what can be shown, whatever a statement claims', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const days = [on(2, { unmatched: most, other: most, closings: [-most] })];
    const shown = short([...days, on(3, { other: -most, closings: [most] })]).flat();
    expect(shown.filter((each) => !Number.isSafeInteger(each))).toEqual([]);
  });
});
