import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp } from './timestamp.js';

describe('parseTimestamp', () => {
  it('reads every millisecond of the years 100 to 9999, as PostgreSQL writes it', () => {
    const range = { min: new Date('0100-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') };
    fc.assert(
      fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
        const text = date.toISOString().replace('T', ' ').replace('Z', '+00');
        const written = text.replace(/\.?0+\+00$/, (zeros) =>
          zeros.startsWith('.') ? '+00' : zeros,
        );
        expect(parseTimestamp(text)).toEqual(date);
        expect(parseTimestamp(written)).toEqual(date);
      }),
    );
  });

  it.each([
    ['2026-11-26 10:00:00+00', '2026-11-26T10:00:00.000Z'],
    ['2026-11-26 10:00:00.5+00', '2026-11-26T10:00:00.500Z'],
    ['2026-11-26 10:00:00.057+00', '2026-11-26T10:00:00.057Z'],
    ['2026-11-26 10:00:00.123999+00', '2026-11-26T10:00:00.123Z'],
    ['2026-11-26 10:00:00.25+05:30', '2026-11-26T04:30:00.250Z'],
    ['2026-11-26 10:00:00-03', '2026-11-26T13:00:00.000Z'],
    ['0001-02-03 04:05:06+00', '0001-02-03T04:05:06.000Z'],
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseTimestamp(text)).toEqual(new Date(iso));
  });

  it('leaves infinity to the driver', () => {
    expect(parseTimestamp('infinity')).toBe(Infinity);
  });
});
