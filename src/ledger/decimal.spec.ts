import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalText, readDecimal } from './decimal.js';

describe('a decimal', () => {
  it.each([
    ['2.9', 4, 29_000],
    ['2,9', 4, 29_000],
    [' 0.0001 ', 4, 1],
    ['100', 4, 1_000_000],
    ['0.30', 2, 30],
    ['30', 0, 30],
    ['1.249', 3, 1_249],
  ])('%j with %i decimals is %i', (text, decimals, units) => {
    expect(readDecimal(text, decimals)).toBe(units);
  });

  it.each([
    ['', 4],
    ['.5', 4],
    ['5.', 4],
    ['-1', 4],
    ['+1', 4],
    ['1e3', 4],
    ['1,249.00', 2],
    ['1.249', 2],
    ['0.00001', 4],
    ['0.3', 0],
    ['٣', 2],
    ['9999999999999', 0],
    ['999999999999', 9],
  ])('%j with %i decimals is none', (text, decimals) => {
    expect(readDecimal(text, decimals)).toBeUndefined();
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(4), (units, decimals) => {
        expect(readDecimal(decimalText(units, decimals), decimals)).toBe(units);
      }),
    );
    expect(decimalText(29_000, 4)).toBe('2.9');
    expect(decimalText(1_000_000, 4)).toBe('100');
  });
});
