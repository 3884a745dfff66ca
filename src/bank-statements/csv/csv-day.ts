import { type BankDay, bankDay } from '../bank-day.js';

/** A day in a pattern such as `DD.MM.YYYY`; undefined for a text that is none. Years of two digits may have four. */
export function readCsvDay(text: string, pattern: string): BankDay | undefined {
  const source = pattern
    .replace(/[./ -]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<year>\\d{2}|\\d{4})')
    .replace('MM', '(?<month>\\d{1,2})')
    .replace('DD', '(?<day>\\d{1,2})');
  const found = new RegExp(`^${source}(?!\\d)`).exec(text.trim())?.groups;
  if (!found) return undefined;
  const year = Number(found.year);
  return bankDay(year < 100 ? 2000 + year : year, Number(found.month), Number(found.day));
}
