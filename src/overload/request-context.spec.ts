import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { isForRequest, leftMs, RequestContext } from './request-context.js';

/** Timers may ring a little early. */
const ABOUT = 3;

describe('the time that a request may spend', () => {
  it('is used up by work alone', async () => {
    const deadline = new RequestContext(1_000);
    await sleep(40);
    expect(deadline.leftMs).toBe(1_000);
    await deadline.trackDeadline(() => sleep(20));
    expect(deadline.leftMs).toBeLessThanOrEqual(980 + ABOUT);
  });

  it('is counted once for work that goes on side by side', async () => {
    const deadline = new RequestContext(1_000);
    const began = performance.now();
    await Promise.all([1, 2, 3].map(() => deadline.trackDeadline(() => sleep(30))));
    const took = performance.now() - began;
    expect(1_000 - deadline.leftMs).toBeLessThanOrEqual(took);
    expect(1_000 - deadline.leftMs).toBeGreaterThanOrEqual(30 - ABOUT);
  });

  it('is counted while work goes on, and for work that fails', async () => {
    const deadline = new RequestContext(1_000);
    const failing = deadline.trackDeadline(async () => {
      await sleep(30);
      expect(deadline.leftMs).toBeLessThanOrEqual(970 + ABOUT);
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(deadline.leftMs).toBeLessThanOrEqual(970 + ABOUT);
  });

  it('has no end for what goes on after the request', async () => {
    const deadline = new RequestContext(10);
    await deadline.trackDeadline(async () => {
      await sleep(20);
      deadline.end();
      expect(deadline.leftMs).toBe(Infinity);
    });
    expect(deadline.leftMs).toBe(Infinity);
  });

  it('has no end for work that no request asked for', () => {
    expect(leftMs()).toBe(Infinity);
    expect(isForRequest()).toBe(false);
  });
});
