import { describe, expect, it } from '@jest/globals';
import { RunningBalance } from './running-balance.js';

/** Rows such as `5` or `5=20`, amount and balance, with `@21` for a day that is not the 20th. */
function balancesOf(rows: string) {
  const balance = new RunningBalance();
  for (const row of rows.split(' ')) {
    const [, amount = '', after, day = '20'] = /^([^=@]+)(?:=(\d+))?(?:@(\d+))?$/.exec(row)!;
    const scaled = BigInt(amount);
    balance.add({ scaled, currency: 'EUR' }, after ? BigInt(after) : undefined, `2026-11-${day}`);
  }
  const { isUnbroken, opening, closing } = balance;
  return [isUnbroken, opening?.scaled, closing?.scaled];
}

describe('balances beside rows', () => {
  it.each([
    ['1=11 2=13 4=17', 10n, 17n],
    ['4=17 2=13 1=11', 10n, 17n],
    ['5 5=20 1 1=22', 10n, 22n],
    ['1=22 1 5=20 5', 10n, 22n],
    ['5 5=20 3=23 1', 10n, 24n],
    ['1 3=23 5=20 5', 10n, 24n],
    ['5 3=18', 10n, 18n],
    ['3=18 5', 10n, 18n],
    ['2@21 3=18 5', 10n, 20n],
    ['2=12@21 -2=10', 12n, 12n],
  ])('%s open with %s and close with %s', (rows, opening, closing) => {
    expect(balancesOf(rows)).toEqual([true, opening, closing]);
  });

  it('are broken by a gap, also between rows that have none', () => {
    expect(balancesOf('5 5=20 1 1=23')[0]).toBe(false);
  });

  it('are none without any', () => {
    expect(balancesOf('5 5')).toEqual([true, undefined, undefined]);
  });
});
