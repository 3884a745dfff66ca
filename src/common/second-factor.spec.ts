import { describe, expect, it } from '@jest/globals';
import { isFresh } from './second-factor.js';

describe('a second factor', () => {
  const now = new Date('2026-03-01T12:05:00.000Z');

  it('is good for five minutes', () => {
    expect(isFresh(new Date('2026-03-01T12:00:00.000Z'), now)).toBe(true);
    expect(isFresh(new Date('2026-03-01T11:59:59.999Z'), now)).toBe(false);
    expect(isFresh(null, now)).toBe(false);
  });
});
