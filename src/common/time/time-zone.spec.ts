import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays, dayAt, isCalendarDay, startOfDay } from './time-zone.js';

describe(isCalendarDay.name, () => {
  it.each(['2026-11-20', '2024-02-29', '1970-01-01', '2999-12-31'])('knows %s', (text) => {
    expect(isCalendarDay(text)).toBe(true);
  });

  it.each(['', '2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '20.11.2026', '1969-12-31'])(
    'refuses %j',
    (text) => expect(isCalendarDay(text)).toBe(false),
  );

  it.each(['3000-01-01', '9999-99-99', '2026-11-20T00:00', ' 2026-11-20', '2026-11-20\n'])(
    'refuses %j',
    (text) => expect(isCalendarDay(text)).toBe(false),
  );
});

describe(addDays.name, () => {
  it.each([
    ['2026-03-01', -1, '2026-02-28'],
    ['2024-02-28', 1, '2024-02-29'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-11-20', -365, '2025-11-20'],
  ])('counts %s and %i days', (day, days, expected) => expect(addDays(day, days)).toBe(expected));
});

describe(startOfDay.name, () => {
  it.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
    ['2026-07-20', 'Europe/Berlin', '2026-07-19T22:00:00.000Z'],
    ['2026-07-20', 'America/Sao_Paulo', '2026-07-20T03:00:00.000Z'],
    ['2026-07-20', 'Asia/Kathmandu', '2026-07-19T18:15:00.000Z'],
    ['2026-07-20', 'Pacific/Kiritimati', '2026-07-19T10:00:00.000Z'],
    ['2026-07-20', 'Etc/GMT+12', '2026-07-20T12:00:00.000Z'],
    ['2999-12-31', 'UTC', '2999-12-31T00:00:00.000Z'],
  ])('knows when %s begins in %s', (day, zone, start) => {
    expect(startOfDay(day, zone).toISOString()).toBe(start);
  });

  it.each([
    ['spring, Berlin', '2026-03-29', 'Europe/Berlin', 23],
    ['autumn, Berlin', '2026-10-25', 'Europe/Berlin', 25],
    ['midnight left out, São Paulo', '2018-11-04', 'America/Sao_Paulo', 23],
    ['the hour before midnight twice, São Paulo', '2018-02-17', 'America/Sao_Paulo', 25],
    ['the day after it', '2018-02-18', 'America/Sao_Paulo', 24],
    ['no summer time any more, São Paulo', '2026-11-01', 'America/Sao_Paulo', 24],
    ['half an hour, Lord Howe', '2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['a day left out, Samoa', '2011-12-30', 'Pacific/Apia', 0],
    ['midnight left out, Beirut', '2022-03-27', 'Asia/Beirut', 23],
  ])('gives a day its length: %s', (_, day, zone, hours) => {
    const length = startOfDay(addDays(day, 1), zone).getTime() - startOfDay(day, zone).getTime();
    expect(length / 3_600_000).toBe(hours);
  });

  it('begins at one o’clock where the clock leaps over midnight', () => {
    const start = startOfDay('2018-11-04', 'America/Sao_Paulo');
    expect(start.toISOString()).toBe('2018-11-04T03:00:00.000Z');
    expect(dayAt(new Date(start.getTime() - 1), 'America/Sao_Paulo')).toBe('2018-11-03');
  });

  it('is the first moment of its day, and the moment before it is not', () => {
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/Sao_Paulo',
      'Asia/Tehran',
      'Pacific/Auckland',
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), zone, (days, timeZone) => {
        const day = addDays('1980-01-01', days);
        const start = startOfDay(day, timeZone);
        expect(dayAt(start, timeZone)).toBe(day);
        expect(dayAt(new Date(start.getTime() - 1), timeZone)).toBe(addDays(day, -1));
      }),
    );
  });
});

describe(dayAt.name, () => {
  it('is the day on the wall, not in UTC', () => {
    const moment = new Date('2026-07-20T22:30:00Z');
    expect(dayAt(moment, 'UTC')).toBe('2026-07-20');
    expect(dayAt(moment, 'Europe/Berlin')).toBe('2026-07-21');
    expect(dayAt(moment, 'America/Sao_Paulo')).toBe('2026-07-20');
  });

  it('knows that midnight belongs to the new day', () => {
    expect(dayAt(new Date('2026-07-20T22:00:00Z'), 'Europe/Berlin')).toBe('2026-07-21');
    expect(dayAt(new Date('2026-07-20T21:59:59.999Z'), 'Europe/Berlin')).toBe('2026-07-20');
  });
});
