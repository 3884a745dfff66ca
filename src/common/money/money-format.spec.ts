import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../locale.js';
import { formatMoney } from './money-format.js';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe(formatMoney.name, () => {
  it.each([
    [8990, 'EUR', 'en', '€89.90'],
    [8990, 'EUR', 'de', '89,90 €'],
    [5, 'EUR', 'en', '€0.05'],
    [1200, 'JPY', 'en', '¥1,200'],
    [1234567, 'KWD', 'en', 'KWD 1,234.567'],
    [99_999_999_999, 'EUR', 'en', '€999,999,999.99'],
    [Number.MAX_SAFE_INTEGER, 'EUR', 'en', '€90,071,992,547,409.91'],
  ] as const)('%d %s in %s is %s', (minor, currency, locale, text) => {
    expect(plain(formatMoney(minor, currency, locale))).toBe(text);
  });

  it('uses Latin digits in every language', () => {
    for (const locale of LOCALES) {
      const text = formatMoney(8990, 'EUR', locale);
      expect(text).toMatch(/89[.,]90/);
    }
  });
});
