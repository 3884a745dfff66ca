import type { BankLine } from '../database/bank/bank-line.entity.js';
import { ORDINAL_MAX, type OrdinalRange } from '../database/bank/line-store.repository.js';

/** So many bookings of one key are read again and again without much ado. */
const FEW = 20;

/**
 * The ordinals that an import has given to lines of a statement. Thousands of customers may pay the same on a day, and
 * none of these lines is another booking of the statement: they are not read again for each further piece of it.
 */
export class GivenOrdinals {
  private readonly given = new Map<string, OrdinalRange>();

  /** What was announced is left out: once booked, it may have another key. */
  add(lines: readonly Pick<BankLine, 'key' | 'ordinal' | 'status'>[]): void {
    for (const { key, ordinal, status } of lines) {
      if (ordinal < FEW || status === 'announced') continue;
      const before = this.given.get(key);
      const low = before?.high === ordinal - 1 ? before.low : ordinal;
      this.given.set(key, { key, low, high: ordinal });
    }
  }

  /** Where all other lines with one of the keys stand. */
  others(keys: readonly string[]): OrdinalRange[] {
    return keys.flatMap((key) => {
      const given = this.given.get(key);
      if (!given) return { key, low: 0, high: ORDINAL_MAX };
      return [
        { key, low: 0, high: given.low - 1 },
        { key, low: given.high + 1, high: ORDINAL_MAX },
      ];
    });
  }
}
