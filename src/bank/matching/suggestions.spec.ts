import { describe, expect, it } from '@jest/globals';
import type { Suggestion } from './matching.js';
import { shownSuggestions, SUGGESTIONS_MAX } from './suggestions.js';

const of = (merchantId: string, n: number, because: Suggestion['because'] = 'order_number') =>
  ({ because, order: { merchantId, txid: `${merchantId}${n}` } }) as Suggestion;
const shown = (all: readonly Suggestion[]) =>
  shownSuggestions(all).shown.map(({ order }) => order.txid);

describe('the orders that are shown for a line', () => {
  it('are the likeliest ones, each once, and the others are counted', () => {
    const all = [of('a', 1), of('a', 2), of('a', 1, 'amount'), of('a', 3)];
    expect(shown(all)).toEqual(['a1', 'a2', 'a3']);
    const many = Array.from({ length: 8 }, (_, n) => of('a', n));
    expect(shownSuggestions(many).more).toBe(8 - SUGGESTIONS_MAX);
    expect(shown(many)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
  });

  it('are one of each merchant before any has two', () => {
    const crowd = Array.from({ length: 9 }, (_, n) => of('crowd', n));
    expect(shown([...crowd, of('right', 1), of('other', 1, 'amount')])).toEqual([
      'crowd0',
      'crowd1',
      'crowd2',
      'right1',
      'other1',
    ]);
  });
});
