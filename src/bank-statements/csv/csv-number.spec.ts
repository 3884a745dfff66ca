import { describe, expect, it } from '@jest/globals';
import { formatScaled } from '../amount.js';
import { numberPattern, readNumber } from './csv-number.js';

const GERMAN = { decimal: ',', group: '.' };
const ENGLISH = { decimal: '.', group: ',' };
const PLAIN = { decimal: '.', group: '' };

describe('a number in CSV', () => {
  it.each([
    [GERMAN, '1.234.567,8', '1234567.8'],
    [GERMAN, '1234567,89', '1234567.89'],
    [GERMAN, '-12.345', '-12345'],
    [GERMAN, '5,00−', '-5'],
    [GERMAN, '- 5,', '-5'],
    [GERMAN, ',5', '0.5'],
    [GERMAN, '1\u00a0234\u00a0567,00', '1234567'],
    [GERMAN, '007,10', '7.1'],
    [ENGLISH, '1,234.50', '1234.5'],
    [{ decimal: '.', group: "'" }, "1'234.50", '1234.5'],
    [{ decimal: ',', group: ' ' }, '1\u202f234,50', '1234.5'],
    [PLAIN, '1234.5', '1234.5'],
  ])('under %j %s is %s', (profile, text, expected) => {
    expect(formatScaled(readNumber(text, numberPattern(profile))!)).toBe(expected);
  });

  it.each([
    [GERMAN, '10.50'],
    [GERMAN, '1.2345'],
    [GERMAN, '1234.567'],
    [GERMAN, '0.125'],
    [GERMAN, '1.234 567'],
    [GERMAN, '1.234.56,00'],
    [GERMAN, '10 50'],
    [ENGLISH, '10,50'],
    [PLAIN, '1,234'],
    [GERMAN, '1,2,3'],
    [GERMAN, '-5-'],
    [GERMAN, '5\n'],
    [GERMAN, '1\n03'],
    [GERMAN, ','],
    [GERMAN, '-'],
    [GERMAN, ''],
    [GERMAN, '5 EUR'],
  ])('under %j %j is none', (profile, text) => {
    expect(readNumber(text, numberPattern(profile))).toBeUndefined();
  });

  it('is not looked for among thousands of blanks', () => {
    const started = performance.now();
    expect(readNumber(`-${' '.repeat(60_000)}x`, numberPattern(GERMAN))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
