import { bankReferencesOf } from './same-booking.js';
import { listedAs, lookedUpAs } from './truncated-references.js';
import { entryReferenceOf, type Named } from './total-evidence.js';

/** Where an item is found: equal money, and a bank reference that is the same, or that one of the two lacks. */
export interface IndexPlace {
  /** Money, and whatever else has to be equal. */
  readonly key: string;
  readonly booking: Named;
  /** Statements that contain the item. */
  readonly statements: readonly string[];
  /** Whether only a common reference makes a match. */
  readonly isByReference: boolean;
}

/** Items of equal statements, by the key of the statements. */
type Row = Map<string, { readonly statements: readonly string[]; readonly items: Set<object> }>;

/**
 * Index of totals or batches. Thousands of them can have the same money, so items that cannot match are excluded by the
 * index instead of one by one.
 */
export class MatchIndex<Item extends object> {
  private readonly rows = new Map<string, Row>();
  private readonly removed = new Set<object>();

  add(item: Item, place: IndexPlace): void {
    const { statements } = place;
    const own = statements.toSorted().join(' ');
    const anywhere = place.isByReference ? [] : [anyAt(place)];
    for (const name of [...namesAt(place, listedAs), ...anywhere]) {
      const row: Row = this.rows.get(name) ?? new Map();
      const group = row.get(own) ?? { statements, items: new Set() };
      group.items.add(item);
      this.rows.set(name, row.set(own, group));
    }
  }

  remove(item: Item): void {
    this.removed.add(item);
  }

  /** Items that share no statement with the place; some of them more than once, those with its reference first. */
  *at(place: IndexPlace): Generator<Item> {
    const isNamed = entryReferenceOf(place.booking) !== null;
    const anywhere = [`${place.key} ${UNNAMED}`, ...(isNamed ? [] : [`${place.key} ${NAMED}`])];
    for (const name of [...namesAt(place, lookedUpAs), ...(place.isByReference ? [] : anywhere)]) {
      for (const { statements, items } of this.rows.get(name)?.values() ?? []) {
        if (meet(statements, place.statements)) continue;
        for (const item of items) {
          if (this.removed.has(item)) items.delete(item);
          else yield item as Item;
        }
      }
    }
  }
}

/** Rows of items whose entry has no reference, and of those whose entry has one. */
const UNNAMED = '-';
const NAMED = '+';

const anyAt = ({ key, booking }: IndexPlace): string =>
  `${key} ${entryReferenceOf(booking) === null ? UNNAMED : NAMED}`;

const namesAt = (
  { key, booking }: IndexPlace,
  namesOf: (reference: string) => string[],
): string[] =>
  [...new Set(bankReferencesOf(booking).flatMap(namesOf))].map((name) => `${key} =${name}`);

/** Whether two lists of statements have one in common. */
export const meet = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((id) => others.includes(id));
