import type { BankLine } from '../../database/bank/lines/bank-line.entity.js';
import type { OrdinalRange } from '../../database/bank/lines/candidate-query.js';
import { ORDINAL_MAX } from '../../database/bank/lines/line-store.repository.js';

/** Up to this many bookings of one key are read again; skipping them is not worth it. */
const FEW = 20;

interface Row {
  readonly low: number;
  readonly high: number;
}

/**
 * Ordinals of the lines that a statement has already matched. Thousands of customers may pay the same amount on one
 * day; these lines are not read again for each later piece of the statement.
 */
export class GivenOrdinals {
  private readonly given = new Map<string, Row[]>();

  /** Skips announced lines: their key may change once they are booked. */
  add(lines: readonly Pick<BankLine, 'key' | 'ordinal' | 'status'>[]): void {
    for (const { key, ordinal, status } of lines) {
      if (status === 'announced') continue;
      const rows = this.given.get(key);
      if (rows) addTo(rows, ordinal);
      else this.given.set(key, [{ low: ordinal, high: ordinal }]);
    }
  }

  /** Ranges of all other lines with one of the keys. */
  others(keys: readonly string[]): OrdinalRange[] {
    return keys.flatMap((key) => {
      const long = (this.given.get(key) ?? []).filter(({ low, high }) => high - low >= FEW);
      const starts = [0, ...long.map(({ high }) => high + 1)];
      const ends = [...long.map(({ low }) => low - 1), ORDINAL_MAX];
      return starts
        .map((low, at) => ({ key, low, high: ends[at]! }))
        .filter(({ low, high }) => low <= high);
    });
  }
}

/** Keeps ranges sorted and merges adjacent ones. */
function addTo(rows: Row[], ordinal: number): void {
  let at = placeOf(rows, ordinal);
  let row = { low: ordinal, high: ordinal };
  const before = rows[at - 1];
  const after = rows[at];
  if (before && before.high >= ordinal) return;
  if (after?.low === ordinal + 1) {
    row = { low: ordinal, high: after.high };
    rows.splice(at, 1);
  }
  if (before?.high === ordinal - 1) {
    row = { low: before.low, high: row.high };
    at -= 1;
    rows.splice(at, 1);
  }
  rows.splice(at, 0, row);
}

/** Number of ranges that start at or before the ordinal. */
function placeOf(rows: readonly Row[], ordinal: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle]!.low <= ordinal) from = middle + 1;
    else to = middle;
  }
  return from;
}
