import { describe, expect, it } from '@jest/globals';
import type { NearStatement } from '../../database/bank/lines/line-store.repository.js';
import { neighboursOf } from './neighbours.js';

const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'] as const;

const statement = (
  id: string,
  [openingBalance, closingBalance]: readonly [number, number],
  [from, until]: readonly [number, number],
  sequence: string | null = null,
): NearStatement => ({
  id,
  sequence,
  openingBalance,
  closingBalance,
  bookedFrom: DAYS[from]!,
  bookedUntil: DAYS[until]!,
});

function foundOf(own: NearStatement, near: readonly NearStatement[], isAll = true) {
  const { apart, likelyApart, isCut } = neighboursOf(own, { near, isAll });
  const likely = near.map(({ id }) => id).filter((id) => likelyApart.has(id));
  return { apart: apart.toSorted(), likely, isCut };
}

describe('the statements beside one', () => {
  const own = statement('own', [100, 200], [1, 1]);

  it('are those before and behind it, and these of them', () => {
    const near = [
      statement('a', [70, 90], [0, 0]),
      statement('b', [90, 100], [0, 0]),
      statement('c', [200, 300], [2, 2]),
      statement('d', [300, 400], [3, 3]),
      statement('copy', [100, 200], [1, 1]),
      statement('else', [120, 130], [2, 2]),
    ];
    // On one day nothing but numbers says that one is before the other.
    expect(foundOf(own, near)).toEqual({ apart: ['b', 'c', 'd'], likely: ['a'], isCut: false });
  });

  it('are only likely where one comes to nothing, unless numbers follow each other', () => {
    const zero = (sequence: string | null) => statement('zero', [100, 100], [0, 0], sequence);
    expect(foundOf(own, [zero(null)])).toMatchObject({ apart: [], likely: ['zero'] });
    const third = { ...own, sequence: '3' };
    expect(foundOf(third, [zero('2')])).toMatchObject({ apart: ['zero'], likely: [] });
    expect(foundOf(third, [zero('1')])).toMatchObject({ apart: [], likely: ['zero'] });
  });

  it('are pages that follow each other on one day', () => {
    const page = (id: string, sequence: string, balances: [number, number]) =>
      statement(id, balances, [1, 1], sequence);
    const near = [page('a', '5/1', [50, 100]), page('c', '5/3', [200, 200])];
    expect(foundOf({ ...own, sequence: '5/2' }, near)).toMatchObject({ apart: ['a', 'c'] });
  });

  it('are none whose days come too late, or whose balances do not meet', () => {
    const near = [statement('late', [50, 100], [2, 2]), statement('other', [50, 99], [0, 0])];
    expect(foundOf(own, near)).toEqual({ apart: [], likely: [], isCut: false });
  });

  it('are all that may be, where they are too many, and soon', () => {
    const near = Array.from({ length: 2_000 }, (_, at) =>
      statement(`s${at}`, [100, 100], [1, 1], `${at}`),
    );
    const since = performance.now();
    const found = foundOf(statement('own', [100, 100], [1, 1], '2000'), near);
    expect(performance.now() - since).toBeLessThan(1_000);
    expect(found).toMatchObject({ apart: [], isCut: true });
    expect(found.likely).toHaveLength(near.length);
    const { likelyApart, isCut } = neighboursOf(own, { near: [], isAll: false });
    expect([isCut, likelyApart.has('any'), likelyApart.has('own')]).toEqual([true, true, false]);
  });

  it('are found among many copies of each', () => {
    const copies = (each: NearStatement) =>
      Array.from({ length: 60 }, (_, at) => ({ ...each, id: `${each.id}${at}` }));
    const near = DAYS.flatMap((_, at) => copies(statement(`${at}-`, [100, 100], [at, at])));
    const found = foundOf(statement('own', [100, 100], [2, 2], null), near);
    expect(found.isCut).toBe(false);
    expect(found.likely).toHaveLength(3 * 60);
  });
});
