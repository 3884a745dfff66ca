import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isForRequest, leftMs, TimeBudget } from './time-budget.js';

/** Timers may ring a little early. */
const ABOUT = 3;

describe('the time that a request may spend', () => {
  it('is used up by work alone', async () => {
    const budget = new TimeBudget(1_000);
    await sleep(40);
    expect(budget.leftMs).toBe(1_000);
    await budget.spend(() => sleep(20));
    expect(budget.leftMs).toBeLessThanOrEqual(980 + ABOUT);
  });

  it('is counted once for work that goes on side by side', async () => {
    const budget = new TimeBudget(1_000);
    const began = performance.now();
    await Promise.all([1, 2, 3].map(() => budget.spend(() => sleep(30))));
    const took = performance.now() - began;
    expect(1_000 - budget.leftMs).toBeLessThanOrEqual(took);
    expect(1_000 - budget.leftMs).toBeGreaterThanOrEqual(30 - ABOUT);
  });

  it('is counted while work goes on, and for work that fails', async () => {
    const budget = new TimeBudget(1_000);
    const failing = budget.spend(async () => {
      await sleep(30);
      expect(budget.leftMs).toBeLessThanOrEqual(970 + ABOUT);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(budget.leftMs).toBeLessThanOrEqual(970 + ABOUT);
  });

  it('has no end for what goes on after the request', async () => {
    const budget = new TimeBudget(10);
    await budget.spend(async () => {
      await sleep(20);
      budget.end();
      expect(budget.leftMs).toBe(Infinity);
    });
    expect(budget.leftMs).toBe(Infinity);
  });

  it('has no end for work that no request asked for', () => {
    expect(leftMs()).toBe(Infinity);
    expect(isForRequest()).toBe(false);
  });
});
