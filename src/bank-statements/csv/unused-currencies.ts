import { currencyExponent } from '../../common/money/currencies.js';

interface Column {
  readonly name: string;
  /** Entries with another currency. */
  readonly others: number[];
}

/**
 * Finds columns of currencies that a profile with a constant currency does not use. Amounts in another currency would be
 * read as the constant one.
 */
export class UnusedCurrencies {
  private readonly columns: Map<number, Column>;

  /** @param unused places and names of the columns that the profile does not use */
  constructor(
    private readonly currency: string,
    unused: readonly (readonly [number, string])[],
  ) {
    this.columns = new Map(unused.map(([at, name]) => [at, { name, others: [] }]));
  }

  /** @param at number of the entry */
  add(record: readonly string[], at: number): void {
    for (const [place, { others }] of this.columns) {
      const cell = (record[place] ?? '').trim();
      if (cell === '' || cell === this.currency) continue;
      if (currencyExponent(cell) === undefined) this.columns.delete(place);
      else others.push(at);
    }
  }

  /** The columns with another currency in some entry. */
  get found(): readonly Column[] {
    return [...this.columns.values()].filter(({ others }) => others.length > 0);
  }
}
