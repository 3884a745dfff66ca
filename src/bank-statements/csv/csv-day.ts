import { type BankDay, bankDay } from '../bank-day.js';

/** Cache of the last pattern, since nearly all rows use the same profile. */
let last = { pattern: '', expression: /^/ };

/** Parses a date by a pattern such as `DD.MM.YYYY`; undefined for any other text. `YY` also accepts four digits. */
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
