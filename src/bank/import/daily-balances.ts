import type { BankDayTotals } from '../../database/bank/files/bank-balance.repository.js';

/**
 * Movements of an account on one day, in minor units: opening + matched + returned + paidOut + unmatched + other +
 * unexplained = closing.
 */
export interface DailyBalance extends Omit<BankDayTotals, 'openings' | 'closings'> {
  /** Last closing balance, or the opening balance of the first statement. */
  readonly opening: number;
  /** As stated by the bank; calculated from the lines on days without a statement. */
  readonly closing: number;
  /** Difference between the bank's balances and its lines: 0 unless a statement is missing or wrong. */
  readonly unexplained: number;
}

/**
 * Carries the balance of each account from day to day.
 * @param days by account, currency and day, without a gap before the first requested day
 */
export function dailyBalances(days: readonly BankDayTotals[]): DailyBalance[] {
  const found: DailyBalance[] = [];
  for (const ofAccount of byAccount(days)) {
    let opening = startOf(ofAccount);
    for (const { openings, closings, ...day } of ofAccount) {
      const expected = safe(opening + movementOf(day));
      const closing = lastOf(closings, openings, expected) ?? expected;
      if (closings.length > 0 || movesAnything(day)) {
        found.push({ ...day, opening, closing, unexplained: safe(closing - expected) });
      }
      opening = closing;
    }
  }
  return found;
}

type Movements = Pick<BankDayTotals, 'matched' | 'returned' | 'paidOut' | 'unmatched' | 'other'>;

const partsOf = ({ matched, returned, paidOut, unmatched, other }: Movements): number[] => [
  matched,
  returned,
  paidOut,
  unmatched,
  other,
];

/** Clamps to the safe integer range, which no real account exceeds. */
const safe = (sum: number): number =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, sum));

const movementOf = (day: Movements): number => partsOf(day).reduce((sum, part) => sum + part, 0);

const movesAnything = (day: Movements): boolean => partsOf(day).some((part) => part !== 0);

function* byAccount(days: readonly BankDayTotals[]): Generator<BankDayTotals[]> {
  const accounts = Map.groupBy(days, ({ account, currency }) => `${currency} ${account}`);
  yield* accounts.values();
}

/**
 * Balance before the first day: the opening balance of that day, or one calculated back from the next closing balance.
 */
function startOf(days: readonly BankDayTotals[]): number {
  const [first] = days;
  const start = first && firstOf(first);
  if (start !== undefined) return start;
  const closes = days.findIndex(({ closings }) => closings.length > 0);
  if (closes === -1) return 0;
  const { closings, openings } = days[closes]!;
  const moved = days.slice(0, closes + 1).reduce((sum, day) => sum + movementOf(day), 0);
  return safe(lastOf(closings, openings, Number.NaN)! - moved);
}

/**
 * Opening balance of a day: the one that is not a closing balance. If all are, the one from which the lines lead to a
 * closing balance, otherwise the first.
 */
function firstOf({ openings, closings, ...day }: BankDayTotals): number | undefined {
  const [start] = without(openings, closings);
  if (start !== undefined) return start;
  const movement = movementOf(day);
  return openings.find((opening) => closings.includes(opening + movement)) ?? openings[0];
}

/**
 * Closing balance of a day with several statements: the one that is not an opening balance. If all are, the calculated
 * one, otherwise the last.
 */
function lastOf(
  closings: readonly number[],
  openings: readonly number[],
  expected: number,
): number | undefined {
  const ends = without(closings, openings);
  const candidates = ends.length > 0 ? ends : closings;
  return candidates.includes(expected) ? expected : candidates.at(-1);
}

const without = (amounts: readonly number[], others: readonly number[]): number[] =>
  amounts.filter((amount) => !others.includes(amount));
