import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isToken, randomToken, tokenAt, uuidBefore, uuidOf, uuidv7 } from './ids.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const TIME_MAX = 2 ** 48 - 1;

/** The first 48 bits: milliseconds of Unix time. */
const uuidTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

describe('uuidv7', () => {
  it('has the version and the variant of RFC 9562', () => {
    const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    for (let i = 0; i < 1000; i++) expect(uuidv7(NOW + i)).toMatch(shape);
  });

  it('ascends within a millisecond, across many of them, without a repetition', () => {
    const ids = Array.from({ length: 50_000 }, (_, i) => uuidv7(NOW + Math.floor(i / 20_000)));
    expect(ids.every((id, i) => i === 0 || id > (ids[i - 1] ?? ''))).toBe(true);
  });

  it('starts each millisecond anywhere in the lower half of the counter', () => {
    const starts = Array.from({ length: 100 }, (_, i) => uuidv7(NOW + i).slice(14, 23));
    expect(new Set(starts).size).toBeGreaterThan(90);
    for (const start of starts) expect(start).toMatch(/^7[0-7]/);
  });

  it('fills its random part anew each time', () => {
    const tails = new Set(Array.from({ length: 5000 }, () => uuidv7(NOW).slice(24)));
    expect(tails.size).toBe(5000);
  });

  it('carries its time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: TIME_MAX }), (ms) => {
        const id = uuidv7(ms);
        expect(uuidOf(id)).toBe(id);
        expect(uuidTime(id)).toBe(ms);
      }),
    );
  });

  it.each([NaN, -1, 1.5, Infinity, TIME_MAX + 1])('throws for the time %p', (ms) => {
    expect(() => uuidv7(ms)).toThrow(RangeError);
  });
});

describe('uuidBefore', () => {
  it('stands between what was made before its millisecond and in it', () => {
    expect(uuidBefore(NOW) > uuidv7(NOW - 1)).toBe(true);
    expect(uuidBefore(NOW) < uuidv7(NOW)).toBe(true);
    expect(uuidTime(uuidBefore(NOW))).toBe(NOW);
  });
});

describe('uuidOf', () => {
  it.each([
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    '00000000-0000-0000-0000-000000000000',
  ])('writes %s in lower case', (text) => {
    expect(uuidOf(text)).toBe(text.toLowerCase());
    expect(uuidOf(`\u00a0${text}\r\n`)).toBe(text.toLowerCase());
  });

  it.each([
    '',
    '017f22e279b07cc398c4dc0c0c07398f',
    '{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}',
    'urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f0',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398g',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f x',
    '017f22e2-79b0-7cc3 -98c4-dc0c0c07398f',
    '017f22e2_79b0_7cc3_98c4_dc0c0c07398f',
  ])('refuses %p', (text) => {
    expect(uuidOf(text)).toBeNull();
  });
});

describe('randomToken', () => {
  it('is safe in a URL, and new each time', () => {
    const tokens = Array.from({ length: 1000 }, () => randomToken());
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(new Set(tokens).size).toBe(1000);
  });

  it('has the bytes asked for', () => {
    expect(Buffer.from(randomToken(32), 'base64url')).toHaveLength(32);
  });
});

describe('tokenAt', () => {
  it('stands behind those of earlier times, and is new each time', () => {
    const tokens = Array.from({ length: 1000 }, () => tokenAt(NOW));
    for (const token of tokens) expect(isToken(token)).toBe(true);
    expect(new Set(tokens.map((token) => token.slice(8))).size).toBe(1000);
    const bytes = (token: string) => Buffer.from(token, 'base64url');
    for (const token of tokens) expect(bytes(token).compare(bytes(tokenAt(NOW + 1)))).toBe(-1);
  });

  it.each([NaN, -1, Infinity, TIME_MAX + 1])('throws for the time %p', (ms) => {
    expect(() => tokenAt(ms)).toThrow(RangeError);
  });
});
