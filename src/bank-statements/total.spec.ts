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
});
