import { describe, expect, it } from '@jest/globals';
import { limitsAt } from './periods.js';

const NOW = new Date('2026-11-22T00:00:00Z');
const daysBefore = (date: Date): number => (NOW.getTime() - date.getTime()) / 86_400_000;

describe('limitsAt', () => {
  it('keeps payers as long as the operator says, and the rest for its own time', () => {
    const { unpaid, payers, reports, sessions } = limitsAt(NOW, 3_650);
    expect([unpaid, payers, reports, sessions].map(daysBefore)).toEqual([90, 3_650, 396, 90]);
  });

  it('keeps nothing longer than payers', () => {
    const { unpaid, payers, reports, sessions } = limitsAt(NOW, 30);
    expect([unpaid, payers, reports, sessions].map(daysBefore)).toEqual([30, 30, 30, 30]);
  });
});
