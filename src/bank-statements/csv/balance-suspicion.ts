/** One change is enough where only the bank writes. In columns that the profile calls something else, two are no coincidence. */
const CHANGES_MIN = 1;
const NAMED_CHANGES_MIN = 2;

/** A column that may hold the amounts, and the changes that stood there. Null once one did not. */
interface Suspect {
  readonly column: number;
  oldestFirst: Set<bigint> | null;
  newestFirst: Set<bigint> | null;
}

/**
 * Notices where the column that is read as amounts holds balances: then it changes from row to row by what another
 * column holds, which are the amounts.
 */
export class BalanceSuspicion {
  private suspects: Suspect[] | undefined;
  private before: { readonly amount: bigint; readonly record: readonly string[] } | undefined;

  /**
   * @param own columns that are read as amounts, from 0
   * @param unnamed those of which the profile says nothing; in others payers may write
   * @param numberOf the number in a cell; undefined for any other text
   */
  constructor(
    private readonly own: readonly number[],
    private readonly unnamed: readonly number[],
    private readonly numberOf: (text: string) => bigint | undefined,
  ) {}

  /** @param amount what was read as the amount of the row */
  add(record: readonly string[], amount: bigint): void {
    const { before } = this;
    this.before = { amount, record };
    if (!before) return;
    this.suspects ??= [...record.keys()]
      .filter((column) => !this.own.includes(column))
      .map((column) => ({ column, oldestFirst: new Set(), newestFirst: new Set() }));
    const change = amount - before.amount;
    for (const suspect of this.suspects) {
      const { column, oldestFirst, newestFirst } = suspect;
      suspect.oldestFirst = this.seen(oldestFirst, record[column], change);
      suspect.newestFirst = this.seen(newestFirst, before.record[column], change);
    }
    this.suspects = this.suspects.filter((each) => each.oldestFirst ?? each.newestFirst);
  }

  /** From 0; undefined where nothing says that the amounts are balances. */
  get column(): number | undefined {
    return this.suspects?.find(({ column, oldestFirst, newestFirst }) => {
      const least = this.unnamed.includes(column) ? CHANGES_MIN : NAMED_CHANGES_MIN;
      return [oldestFirst, newestFirst].some((changes) => (changes?.size ?? 0) >= least);
    })?.column;
  }

  /** Banks write amounts with their sign, or in a column for each direction, of which one is empty. */
  private seen(changes: Set<bigint> | null, cell: string = '', change: bigint): Set<bigint> | null {
    if (changes === null || cell.trim() === '') return changes;
    const number = this.numberOf(cell);
    if (number !== change && number !== -change) return null;
    return change === 0n ? changes : changes.add(change);
  }
}
