import { describe, expect, it } from '@jest/globals';
import { formatDeadline, formatMoney } from './money-format.js';
import { LOCALES } from './page.model.js';

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

describe(formatDeadline.name, () => {
  const now = new Date('2026-11-20T13:00:00Z');

  it('tells the time alone for the next 24 hours', () => {
    expect(plain(formatDeadline(new Date('2026-11-20T14:32:00Z'), now, 'en'))).toBe('14:32 UTC');
  });

  it('tells the day of a later deadline', () => {
    const text = formatDeadline(new Date('2026-12-01T00:05:00Z'), now, 'de');
    expect(text).toMatch(/1\. Dezember.*00:05.*UTC/);
  });
});
