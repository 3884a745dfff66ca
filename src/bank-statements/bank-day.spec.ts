import { describe, expect, it } from '@jest/globals';
import { nearestDay, readIsoDay } from './bank-day.js';

describe('a bank’s day', () => {
  it.each([
    ['2026-11-20', '2026-11-20', false],
    ['2026-11-20T23:59:00.123456-11:00', '2026-11-20', false],
    ['2026-11-20-05:00', '2026-11-20', false],
    ['2026-11-20+02:00', '2026-11-20', false],
    ['2028-02-30', '2028-02-29', true],
    ['2026-04-31', '2026-04-30', true],
  ])('%s is %s', (text, day, clamped) => {
    expect(readIsoDay(text)).toEqual({ day, clamped });
  });

  it.each([
    '2026-00-10',
    '2026-13-01',
    '2026-01-32',
    '2026-1-1',
    'YYYY-MM-DD',
    '2026-11-201',
    '2026-11-20-05',
    '',
  ])('%s is none', (text) => {
    expect(readIsoDay(text)).toBeUndefined();
  });

  it.each([
    ['0102', '2025-12-30', '2026-01-02'],
    ['1230', '2026-01-02', '2025-12-30'],
    ['0704', '2026-07-09', '2026-07-04'],
    ['0229', '2028-03-01', '2028-02-29'],
  ])('%s near %s is %s', (short, to, day) => {
    expect(nearestDay(short, to)?.day).toBe(day);
  });

  it('that no year has is none', () => {
    expect(nearestDay('1301', '2026-01-02')).toBeUndefined();
  });
});
