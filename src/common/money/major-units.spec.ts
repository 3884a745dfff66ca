import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CURRENCY_CODES, currencyExponent } from './currencies.js';
import { minorUnits } from './major-units.js';
import { AMOUNT_MAX, toMajorUnits } from './money.js';

describe(minorUnits.name, () => {
  it.each([
    ['89.90', 8990],
    ['89,90', 8990],
    ['89,9', 8990],
    ['1.249,00', 124900],
    ['1,249.00', 124900],
    ['1 249,00', 124900],
    ['1’249.00', 124900],
    ['1.234.567', 123456700],
    ['1249', 124900],
    ['1.249', 124900],
    ['0,05', 5],
    ['0.000', 0],
    ['12.3400', 1234],
  ])('reads %j in hundredths', (text, amount) => expect(minorUnits(text, 2)).toEqual([amount]));

  it.each([
    '',
    'abc',
    '-1',
    '1e3',
    '1.2.3',
    '1,24,900',
    '12.345,67.8',
    '0.901',
    '.5',
    '5.',
    '1.24,9,0',
  ])('finds no hundredths in %j', (text) => expect(minorUnits(text, 2)).toEqual([]));

  it('knows that one sign before three digits can mean two things', () => {
    expect(minorUnits('1.249', 3)).toEqual([1249, 1249000]);
    expect(minorUnits('1,249', 3)).toEqual([1249, 1249000]);
    expect(minorUnits('1.000', 2)).toEqual([100000, 100]);
    expect(minorUnits('0.249', 3)).toEqual([249]);
  });

  it('drops decimals that a currency has not only when they are zero', () => {
    expect(minorUnits('1.249,00', 0)).toEqual([1249]);
    expect(minorUnits('89.90', 0)).toEqual([]);
  });

  it('finds no amount that a number could not hold', () => {
    expect(minorUnits('9'.repeat(17), 2)).toEqual([]);
  });

  it('reads every amount of every currency as it is written', () => {
    const currency = fc.constantFrom(...CURRENCY_CODES);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: AMOUNT_MAX }), currency, (amount, code) => {
        const text = toMajorUnits(amount, code);
        const exponent = currencyExponent(code)!;
        expect(minorUnits(text, exponent)[0]).toBe(amount);
        expect(minorUnits(text.replace('.', ','), exponent)[0]).toBe(amount);
      }),
    );
  });
});
