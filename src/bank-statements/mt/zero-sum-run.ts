/** Maximum lines that the details of one payment fill in a file. */
const LINES_MAX = 12;

/** Signed amount of an entry (negative = outgoing), and its numbers of lines. */
export interface ZeroSumEntry {
  readonly amount: bigint;
  readonly detailLines: number;
  /** Including the lines of the details. */
  readonly lines: number;
}

/**
 * Detects entries that directly follow the details of another entry and sum to zero. If the bank wraps details and
 * trims trailing blanks, a single payer may have forged all of them, and neither balances nor line widths reveal it.
 */
export class ZeroSumRun {
  private recent: ZeroSumEntry[] = [];

  /** @returns whether the entry ends such a run */
  endsWith(entry: ZeroSumEntry): boolean {
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
