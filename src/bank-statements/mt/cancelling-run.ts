/** Lines of a file that one payment's details fill at most. */
const LINES_MAX = 12;

/** An entry with amounts out below zero, and the numbers of its lines. */
export interface RunEntry {
  readonly amount: bigint;
  readonly detailLines: number;
  /** With those of the details. */
  readonly lines: number;
}

/**
 * Entries that stand directly behind the details of another one, and come to nothing together. Where a bank wraps details
 * and trims blanks at the ends of lines, one payer can have written them all: no balance and no width of a line shows it.
 */
export class CancellingRun {
  private recent: RunEntry[] = [];

  /** @returns whether the entry ends such a run */
  endsWith(entry: RunEntry): boolean {
    this.recent = [...this.recent, entry].slice(-LINES_MAX);
    let sum = 0n;
    let lines = 0;
    for (let at = this.recent.length - 1; at > 0; at--) {
      const { amount, lines: own } = this.recent[at]!;
      const { detailLines } = this.recent[at - 1]!;
      sum += amount;
      lines += own;
      if (lines + detailLines > LINES_MAX) return false;
      if (sum === 0n && amount !== 0n && detailLines > 0) return true;
    }
    return false;
  }
}
