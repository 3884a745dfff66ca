import { LoopTurns } from '../../common/loop-turns.js';
import type { KnownLine, TiedTotal } from '../../database/bank/lines/line-store.repository.js';
import type { Sureness } from './total-evidence.js';

/** A total and its payments. */
export interface BatchMatch {
  /** Whether the bank proves the match, by its code for totals or a common reference. Otherwise an operator decides. */
  readonly isCertain: boolean;
  readonly total: Pick<KnownLine, 'id' | 'status' | 'direction'> &
    Partial<Pick<KnownLine, 'state'>>;
  readonly batch: string;
  /** `BankLine.batchKey` of the payments. */
  readonly key: string;
  readonly parts: readonly Pick<KnownLine, 'id' | 'status'>[];
}

/**
 * Matches each item at most once, the surest first, so that an item with the reference is not used up by a weaker
 * match.
 */
export async function surestFirst<T>(
  all: readonly T[],
  meeting: (one: T, wanted: Sureness) => BatchMatch | null,
): Promise<BatchMatch[]> {
  const turns = new LoopTurns();
  const met = new Map<T, BatchMatch>();
  for (const wanted of [3, 2, 1, 0] as const) {
    for (const one of all) {
      const found = met.has(one) ? null : meeting(one, wanted);
      if (found) met.set(one, found);
      await turns.pause();
    }
  }
  return [...met.values()];
}

const isBooked = ({ status }: Pick<KnownLine, 'status'>): boolean => status === 'booked';

/**
 * `tied`: the payments replace the total. `possible`: the booked total may also be another payment of the same amount,
 * or only some of its payments are booked, or it has paid before they are. `payments_redundant`, `total_redundant`:
 * announcements to drop.
 */
type Effect = 'tied' | 'possible' | 'payments_redundant' | 'total_redundant';

function effectOf({ isCertain, total, parts }: BatchMatch): Effect | null {
  const booked = parts.filter(isBooked).length;
  const isWhole = booked === parts.length;
  if (isCertain && isWhole) return 'tied';
  if (!isBooked(total)) return isCertain ? 'total_redundant' : null;
  if (isCertain && booked === 0) return 'payments_redundant';
  return booked > 0 || total.state === 'matched' ? 'possible' : null;
}

const totalsWith = (effect: Effect, matches: readonly BatchMatch[]): TiedTotal[] =>
  matches
    .filter((match) => effectOf(match) === effect)
    .map(({ total, batch, key }) => ({ id: total.id, batch, key }));

/** Totals that their payments replace. */
export const tiedOf = (matches: readonly BatchMatch[]): TiedTotal[] => totalsWith('tied', matches);

/**
 * Totals about which an operator decides. An incoming total of several payments belongs to no single order, whatever
 * text it has.
 */
export const possibleTotalsOf = (matches: readonly BatchMatch[]): TiedTotal[] => [
  ...totalsWith('possible', matches),
  ...totalsWith(
    'payments_redundant',
    matches.filter(({ total }) => total.direction === 'in'),
  ),
];

/** Ids of redundant announcements. */
export const suppressedOf = (matches: readonly BatchMatch[]): string[] => [
  ...totalsWith('total_redundant', matches).map(({ id }) => id),
  ...matches
    .filter((match) => effectOf(match) === 'payments_redundant')
    .flatMap(({ parts }) => parts.map(({ id }) => id)),
];
