import { describe, expect, it } from '@jest/globals';
import { pauseAfter } from './question-pause.js';

describe(pauseAfter.name, () => {
  it('grows from five minutes to a week', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 7, 1000].map((n) => pauseAfter(n) / 60_000);
    expect(minutes).toEqual([5, 20, 80, 320, 1_280, 5_120, 10_080, 10_080]);
  });
});
