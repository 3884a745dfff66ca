import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contrastOn, readableOn } from './colour.js';

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => value.toString(16).padStart(6, '0'));

describe(contrastOn.name, () => {
  it.each([
    ['000000', '#fff', 21],
    ['ffffff', '#000', 21],
    ['0b4f9e', '#fff', 8],
    ['ffd400', '#000', 14.69],
  ])('%s with %s: %d', (hex, text, ratio) => {
    expect(readableOn(hex)).toBe(text);
    expect(contrastOn(hex)).toBeCloseTo(ratio, 1);
  });

  it('is enough for text on every colour (WCAG 2.2, 1.4.3)', () => {
    fc.assert(fc.property(colour, (hex) => contrastOn(hex) >= 4.5));
  });
});
