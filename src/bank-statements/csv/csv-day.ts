import { type BankDay, bankDay } from '../bank-day.js';

/** The last pattern that was asked for: nearly all rows of all files have that of one profile. */
let last = { pattern: '', expression: /^/ };

/** A day in a pattern such as `DD.MM.YYYY`; undefined for a text that is none. Years of two digits may have four. */
export function readCsvDay(text: string, pattern: string): BankDay | undefined {
  if (last.pattern !== pattern) last = { pattern, expression: expressionOf(pattern) };
  const found = last.expression.exec(text.trim())?.groups;
  if (!found) return undefined;
  const year = Number(found.year);
  return bankDay(year < 100 ? 2000 + year : year, Number(found.month), Number(found.day));
}

function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/[./ -]/g, '\\$&')
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('YY', '(?<year>\\d{2}|\\d{4})')
    .replace('MM', '(?<month>\\d{1,2})')
    .replace('DD', '(?<day>\\d{1,2})');
  return new RegExp(`^${source}(?!\\d)`);
}
