import { describe, expect, it } from '@jest/globals';
import { percentText, readFixed, readPercent } from './fee-rate.js';

describe('a fee as people write it', () => {
  it.each([
    ['2.9', 29_000],
    ['0,35', 3_500],
    ['0.0001', 1],
    ['100', 1_000_000],
    ['100.0001', undefined],
    ['2.90001', undefined],
    ['2.9 %', undefined],
  ])('%s percent are %s parts per million', (text, parts) => {
    expect(readPercent(text)).toBe(parts);
    if (parts !== undefined) expect(readPercent(percentText(parts))).toBe(parts);
  });

  it.each([
    ['0.30', 'EUR', 30],
    ['0,3', 'EUR', 30],
    ['30', 'JPY', 30],
    ['0.030', 'KWD', 30],
    ['0.3', 'JPY', undefined],
    ['0.305', 'EUR', undefined],
    ['1,249', 'EUR', undefined],
    ['999999999.99', 'EUR', 99_999_999_999],
    ['1000000000', 'EUR', undefined],
    ['1', 'XXX', 100],
  ])('%s of %s are %s minor units', (text, currency, minor) => {
    expect(readFixed(text, currency)).toBe(minor);
  });
});
