/** What banks write beside amounts without a sign. */
const CREDITS = ['h', 'haben', 'c', 'cr', 'crdt', 'credit', 'bij'];
const DEBITS = ['s', 'soll', 'd', 'dr', 'db', 'dbit', 'debit', 'debet', 'af'];
const SIGNS: ReadonlySet<string> = new Set([...CREDITS, ...DEBITS]);

/** Where money that was read as coming in stands beside a word that says that it went out. */
export interface Contradiction {
  /** From 0. */
  readonly column: number;
  readonly line: number;
  readonly word: string;
}

/** Notices a column of signs that the profile does not name: then money that went out is read as money that came. */
export class SignSuspicion {
  private readonly found = new Map<number, Contradiction>();

  /** @param columns of which the profile says nothing, from 0; in the end those with other words are no longer there */
  constructor(private columns: readonly number[]) {}

  /** @param amount what was read as the amount of the row */
  add(record: readonly string[], amount: bigint, line: number): void {
    this.columns = this.columns.filter((column) => {
      const word = record[column]!;
      const plain = word.trim().toLowerCase();
      if (plain !== '' && !SIGNS.has(plain)) return false;
      if (amount > 0n && DEBITS.includes(plain) && !this.found.has(column))
        this.found.set(column, { column, line, word });
      return true;
    });
  }

  get contradiction(): Contradiction | undefined {
    return this.columns.flatMap((column) => this.found.get(column) ?? [])[0];
  }
}
