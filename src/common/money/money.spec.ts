import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { currencyExponent } from './currencies.js';
import { AMOUNT_MAX, isAmount, toMajorUnits } from './money.js';

describe('isAmount', () => {
  it.each([1, 2, 8990, AMOUNT_MAX, 1e3])('accepts %p', (value) => {
    expect(isAmount(value)).toBe(true);
  });

  it.each([
    0,
    -0,
    -1,
    0.5,
    89.9,
    AMOUNT_MAX + 1,
    Number.MAX_SAFE_INTEGER,
    NaN,
    Infinity,
    '8990',
    10n,
    true,
    null,
    undefined,
    [8990],
    new Number(8990),
  ])('refuses %p', (value) => {
    expect(isAmount(value)).toBe(false);
  });
});

describe('toMajorUnits', () => {
  it.each([
    [8990, 'EUR', '89.90'],
    [1, 'EUR', '0.01'],
    [10, 'EUR', '0.10'],
    [100, 'EUR', '1.00'],
    [0, 'EUR', '0.00'],
    [-0, 'EUR', '0.00'],
    [-5, 'EUR', '-0.05'],
    [-8990, 'EUR', '-89.90'],
    [AMOUNT_MAX, 'EUR', '999999999.99'],
    [Number.MAX_SAFE_INTEGER, 'EUR', '90071992547409.91'],
    [1000, 'JPY', '1000'],
    [0, 'JPY', '0'],
    [-7, 'JPY', '-7'],
    [1000, 'KWD', '1.000'],
    [1, 'KWD', '0.001'],
    [-1234, 'KWD', '-1.234'],
    [100, 'XXX', '1.00'],
    [100, 'toString', '1.00'],
    [-(10n ** 18n) - 5n, 'EUR', '-10000000000000000.05'],
    [10n ** 18n, 'JPY', '1000000000000000000'],
  ])('writes %p %s as %s', (amount, currency, text) => {
    expect(toMajorUnits(amount, currency)).toBe(text);
  });

  it.each([
    [0.5, 'EUR'],
    [NaN, 'EUR'],
    [2 ** 53, 'EUR'],
  ])('throws for %p %s', (amount, currency) => {
    expect(() => toMajorUnits(amount, currency)).toThrow(RangeError);
  });

  it.each(['JPY', 'EUR', 'KWD'])('loses no digit of any %s amount', (currency) => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (amount) => {
        const text = toMajorUnits(amount, currency);
        const [, decimals = ''] = text.split('.');
        expect(decimals).toHaveLength(currencyExponent(currency) ?? NaN);
        expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount));
      }),
    );
  });
});
