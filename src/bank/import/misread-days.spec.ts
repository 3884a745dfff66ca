import { describe, expect, it } from '@jest/globals';
import { mayBeMisread } from './misread-days.js';

const NOW = new Date('2026-03-10T12:00:00Z');

describe('days of a CSV file', () => {
  it.each([
    ['month and day exchanged', 'DD/MM/YYYY', ['2026-01-02', '2026-01-03'], true],
    ['month and day exchanged, newest alike', 'DD/MM/YYYY', ['2026-01-02', '2026-02-02'], true],
    ['right, whichever it is', 'DD/MM/YYYY', ['2026-02-02'], false],
    ['month and day exchanged, one day', 'DD/MM/YYYY', ['2026-01-03'], true],
    ['month and day exchanged, in an ISO date', 'YYYY-DD-MM', ['2026-01-03'], true],
    ['year and day exchanged', 'DD.MM.YY', ['2003-02-26', '2004-02-26'], true],
    ['month and day exchanged, into the future', 'DD/MM/YYYY', ['2026-03-03', '2026-09-03'], true],
    ['right', 'DD/MM/YYYY', ['2026-03-01', '2026-03-05'], false],
    ['right, of last month', 'DD/MM/YYYY', ['2026-02-03', '2026-02-09'], false],
    ['right, since dots follow the day', 'DD.MM.YYYY', ['2026-01-03'], false],
    ['right, of an ISO date', 'YYYY-MM-DD', ['2026-01-03'], false],
    ['right, since there is no 13th month', 'DD/MM/YYYY', ['2026-01-03', '2026-01-13'], false],
    ['right, since another reading is in the future', 'DD/MM/YYYY', ['2026-03-04'], false],
    ['right, with a year of two digits', 'DD.MM.YY', ['2026-03-05'], false],
  ])('%s: %s', (_, pattern, days, expected) => {
    expect(mayBeMisread(new Set(days), pattern, NOW)).toBe(expected);
  });

  it('are none in a file without rows', () => {
    expect(mayBeMisread(new Set(), 'DD/MM/YYYY', NOW)).toBe(false);
  });
});
