import { describe, expect, it } from '@jest/globals';
import { RunningBalance } from './running-balance.js';

/** Rows such as `5` or `5=20`, amount and balance, with `@21` for a day that is not the 20th, and `|` for what is no row. */
function balanceOf(rows: string): RunningBalance {
  const balance = new RunningBalance();
  let at = 0;
  for (const row of rows.split(' ')) {
    if (row === '|') {
      balance.addGap();
      continue;
    }
    const [, amount = '', after, day = '20'] = /^([^=@]+)(?:=(-?\d+))?(?:@(\d+))?$/.exec(row)!;
    const scaled = BigInt(amount);
    const own = after ? BigInt(after) : undefined;
    balance.add({ scaled, currency: 'EUR' }, own, { day: `2026-11-${day}`, at: at++ });
  }
  return balance;
}

const OLDEST_FIRST = [
  ['1=11 2=13 4=17', 10n, 17n],
  ['5 5=20 1 1=22@21', 10n, 22n],
  ['5 5=20 3=23 1', 10n, 24n],
  ['2=12@19 -2=10', 10n, 10n],
] as const;
const NEWEST_FIRST = [
  ['4=17 2=13 1=11', 10n, 17n],
  ['1=22@21 1 5=20 5', 10n, 22n],
  ['1 3=23 5=20 5', 10n, 24n],
  ['2@21 3=18 5', 10n, 20n],
  ['2=12@21 -2=10', 12n, 12n],
] as const;

describe('balances beside rows', () => {
  it.each([...OLDEST_FIRST, ...NEWEST_FIRST])(
    '%s open with %s and close with %s',
    (rows, ...ends) => {
      const { proof, opening, closing } = balanceOf(rows);
      expect([proof.isUnbroken, opening?.scaled, closing?.scaled]).toEqual([true, ...ends]);
    },
  );

  it.each([
    '5 5=20 1 1=23',
    // Rows in the order of their days fit the other one alone, as where signs are turned round.
    '5=100@19 5=95',
    '5=95@21 5=100',
    // Zero-sum rows that have balances of their own, which the account does not have.
    '1=11 1000=5 -1000=6 2=13',
  ])('%s are broken', (rows) => {
    expect(balanceOf(rows).proof.isUnbroken).toBe(false);
  });

  it.each([
    ['1=11', 'all'],
    ['1', 'all'],
    // Of one day: signs and order turned round fit as well, or both orders do.
    ['5=10 5=15', 'all'],
    ['5=15 5=10 5=5', 'all'],
    ['2=12 -2=10', 'all'],
    ['5 3=18', 'all'],
    ['5=10@19 5=15', [1]],
    ['5=15@21 5=10', [0]],
    ['1=11 2=13 4=17', [1, 2]],
    ['4=17 2=13 1=11', [0, 1]],
    ['2=12@19 -3=9', [1]],
    ['2=12@21 -3=10', [0]],
    // Beside a row without a balance none is proven.
    ['1=11 2=13 4=17 8 1=26 2=28 4=32', [1, 5, 6]],
    ['1=11 2=13 | 4=17 8=25', [3]],
    ['1=11 2=13 4=17 |', [1]],
    // The sum of two that a payer has moved is not each of them.
    ['10=110 1000 -998 5=117 1=118', [4]],
    ['10=110 1000 -1000 1=111 5=116 1=117', [4, 5]],
    // Rows that cancel out can be the text of one transfer.
    ['10=110@19 500=610 -500=110 1=111 5=116', [3, 4]],
    ['10=110@19 -500=-390 500=110 1=111', [3]],
    ['10=110@19 500=610 -200=410 -300=110 1=111', [4]],
    ['10=110@19 1=111 2=113 3=116 4=120 5=125 -15=110 7=117', [1, 2, 3, 4, 5, 6, 7]],
  ])('beside %s prove %s', (rows, expected) => {
    const { proof } = balanceOf(rows);
    expect(proof.isUnbroken).toBe(true);
    const count = rows.replaceAll(' |', '').split(' ').length;
    const all = Array.from({ length: count }, (_, at) => at);
    const { unproven } = proof;
    expect(unproven === 'all' ? 'all' : all.filter((at) => !unproven.has(at))).toEqual(expected);
  });

  it('are none without any', () => {
    const { proof, opening, closing } = balanceOf('5 5');
    expect([proof.isUnbroken, opening, closing]).toEqual([true, undefined, undefined]);
  });
});
