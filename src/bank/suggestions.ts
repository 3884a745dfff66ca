import type { Suggestion } from './matching.js';

/** What a person is shown of a line at most. */
export const SUGGESTIONS_MAX = 5;

/** What a person is shown, and how many other orders were found. */
export interface ShownSuggestions {
  readonly shown: readonly Suggestion[];
  readonly more: number;
}

/**
 * Of all orders that a line may be for, those that are shown, the likeliest first. Each merchant has a place before any
 * has two: orders that one merchant calls or prices like a payment of another do not take its place.
 * @param all the likeliest first; an order may be there twice
 */
export function shownSuggestions(all: readonly Suggestion[]): ShownSuggestions {
  const known = new Set<string>();
  const ranked = all.filter(({ order: { txid } }) => !known.has(txid) && known.add(txid));
  const before = new Map<string, number>();
  const places = ranked.map(({ order: { merchantId } }, rank) => {
    const turn = before.get(merchantId) ?? 0;
    before.set(merchantId, turn + 1);
    return { rank, turn };
  });
  const shown = places
    .toSorted((one, other) => one.turn - other.turn || one.rank - other.rank)
    .slice(0, SUGGESTIONS_MAX)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ rank }) => ranked[rank]!);
  return { shown, more: ranked.length - shown.length };
}
