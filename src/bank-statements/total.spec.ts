import { describe, expect, it } from '@jest/globals';
import { LIMITS } from './limits.js';
import { StatementRefusedError } from './refused.js';
import { Total } from './total.js';

describe(Total.name, () => {
  it.each([
    ['xmlParts', 'Line 7: there are more than 20000000 elements, attributes, references'],
    ['mtLines', 'Line 7: there are more than 4000000 lines.'],
    ['rows', 'Line 7: there are more than 400000 rows.'],
    ['cells', 'Line 7: there are more than 15000000 cells.'],
  ] as const)('takes as many %s as a bank writes', (what, sentence) => {
    const total = new Total();
    total.count(what, 6, LIMITS[what] - 1);
    total.count(what, 6);
    expect(() => total.count(what, 7)).toThrow(StatementRefusedError);
    expect(() => total.count(what, 7)).toThrow(sentence);
  });

  it('lets others go on while a text is read that is there at once', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    async function* chunks() {
      for (let n = 0; n < 60; n++) yield 'x';
    }
    for await (const chunk of new Total().text(chunks())) {
      const end = performance.now() + 3 * chunk.length;
      while (performance.now() < end);
    }
    clearInterval(others);
    expect(turns).toBeGreaterThan(10);
  });
});
