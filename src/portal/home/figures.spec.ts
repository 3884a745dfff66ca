import { describe, expect, it } from '@jest/globals';
import type { DayTotals } from '../../database/read-models/home.repository.js';
import { figuresOf } from './figures.js';

const totals = (currency: string, day: number, created: number, volume: bigint): DayTotals => ({
  currency,
  day,
  created,
  started: created,
  paid: created - 1,
  expired: 1,
  failed: 0,
  cancelled: 0,
  volume,
});

const DAYS = ['2026-03-28', '2026-03-29', '2026-03-30'];
const TOTALS = [totals('JPY', 2, 4, 9n), totals('EUR', 0, 3, 2n ** 60n), totals('EUR', 2, 2, 1n)];

describe(figuresOf.name, () => {
  it('shows the most used currency, and days without orders too', () => {
    const { currency, currencies, days, total } = figuresOf(TOTALS, DAYS, null);
    expect([currency, currencies]).toEqual(['EUR', ['EUR', 'JPY']]);
    expect(days.map(({ day, created }) => [day, created])).toEqual([
      ['2026-03-28', 3],
      ['2026-03-29', 0],
      ['2026-03-30', 2],
    ]);
    expect(total).toMatchObject({ created: 5, paid: 3, expired: 2, volume: 2n ** 60n + 1n });
  });

  it('shows another currency when asked, and never adds two', () => {
    expect(figuresOf(TOTALS, DAYS, 'JPY').total).toMatchObject({ created: 4, volume: 9n });
    expect(figuresOf(TOTALS, DAYS, 'CHF').currency).toBe('EUR');
  });

  it('takes a shop without orders', () => {
    expect(figuresOf([], DAYS, 'EUR')).toMatchObject({ currency: null, total: { created: 0 } });
  });
});
