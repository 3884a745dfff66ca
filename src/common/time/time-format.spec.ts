import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../locale.js';
import { formatDeadline, formatMoment, isTimeZone } from './time-format.js';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

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

describe(formatMoment.name, () => {
  const moment = new Date('2026-07-20T22:32:00Z');

  it('tells day, time and zone where the reader is', () => {
    const text = plain(formatMoment(moment, 'Europe/Berlin', 'en'));
    expect(text).toMatch(/^July 21, 2026 at 00:32 (CEST|GMT\+2)$/);
    expect(plain(formatMoment(moment, 'UTC', 'de'))).toMatch(/^20\. Juli 2026.* 22:32 UTC$/);
  });

  it('uses Latin digits in every language', () => {
    for (const locale of LOCALES) {
      expect(formatMoment(moment, 'Asia/Tokyo', locale)).toMatch(/2026.*0?7:32/);
    }
  });
});

describe(isTimeZone.name, () => {
  it.each([
    'UTC',
    'Europe/Berlin',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'Asia/Kolkata',
    'IST',
  ])('knows %s', (name) => expect(isTimeZone(name)).toBe(true));

  it.each(['', '+01:00', 'Mars/Olympus', 'Europe/Berlin\n', '../UTC', 'Europe/', 'SystemV/EST5'])(
    'refuses %j',
    (name) => expect(isTimeZone(name)).toBe(false),
  );
});
