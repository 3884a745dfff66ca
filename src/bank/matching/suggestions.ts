import type { Suggestion } from './matching.js';

/** Maximum suggestions shown per line. */
export const SUGGESTIONS_MAX = 5;

/** Shown suggestions, and the number of others. */
export interface ShownSuggestions {
  readonly shown: readonly Suggestion[];
  readonly more: number;
}

/**
 * Selects the suggestions to show, the likeliest first. Each merchant gets one place before any gets two, so that
 * similar orders of one merchant do not push out those of another.
 * @param all the likeliest first; may contain duplicates
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
