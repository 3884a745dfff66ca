import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type Bucket,
  charge,
  fillMs,
  msUntilFull,
  msUntilTokens,
  type Policy,
  take,
  type Taken,
  tokensLeft,
} from './token-bucket.js';

const WRITES: Policy = { rate: 20, periodMs: 1_000, burst: 40 };
const START = Date.UTC(2026, 0, 1);

function takeTimes(count: number, policy: Policy, from: Bucket | undefined, now: number): Taken {
  let taken = take(policy, from, now);
  for (let i = 1; i < count; i++) taken = take(policy, taken, now);
  return taken;
}

/** The decisions for requests that come so many ms after each other. */
function decisions(policy: Policy, gaps: readonly number[]): boolean[] {
  let now = START;
  let bucket: Bucket | undefined;
  return gaps.map((gap) => {
    const taken = take(policy, bucket, (now += gap));
    bucket = taken;
    return taken.granted;
  });
}

/** The most requests granted beyond what any window of the schedule allows; at most 0 is right. */
function worstExcess(policy: Policy, gaps: readonly number[]): number {
  const granted = decisions(policy, gaps);
  let worst = -Infinity;
  for (let first = 0; first < gaps.length; first++) {
    let tokens = policy.burst;
    for (let last = first; last < gaps.length; last++) {
      if (last > first) tokens += (Math.max(0, gaps[last]!) * policy.rate) / policy.periodMs;
      if (granted[last]) tokens--;
      worst = Math.max(worst, -tokens);
    }
  }
  return worst;
}

const policies = fc.record({
  rate: fc.integer({ min: 1, max: 50 }),
  periodMs: fc.constantFrom(1_000, 60_000),
  burst: fc.integer({ min: 1, max: 20 }),
});

describe('take', () => {
  it('grants a burst at once, then one for each token that drips in', () => {
    const last = takeTimes(40, WRITES, undefined, START);
    expect(last).toMatchObject({ granted: true, missing: 40_000 });
    expect(take(WRITES, last, START).granted).toBe(false);
    expect(take(WRITES, last, START + 49).granted).toBe(false);
    const next = take(WRITES, last, START + 50);
    expect(next.granted).toBe(true);
    expect(take(WRITES, next, START + 50).granted).toBe(false);
  });

  it('takes nothing when it refuses', () => {
    const refused = takeTimes(1_000, WRITES, undefined, START);
    expect(refused).toEqual({ granted: false, missing: 40_000, at: START });
  });

  it('holds no more than a burst, however long nobody comes', () => {
    const first = take(WRITES, undefined, START);
    expect(tokensLeft(WRITES, take(WRITES, first, START + 86_400_000))).toBe(39);
  });

  it('grants exactly a burst at once, whatever the rate', () => {
    const rates = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(rates, (rate) => {
        const policy = { rate, periodMs: 1_000, burst: 7 };
        const last = takeTimes(7, policy, undefined, START);
        expect(last.granted).toBe(true);
        expect(take(policy, last, START).granted).toBe(false);
      }),
    );
  });

  it('never grants more than burst + rate × time in any window', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(policies, gaps, (policy, schedule) => {
        expect(worstExcess(policy, schedule)).toBeLessThan(1e-6);
      }),
    );
  });

  it('gives nothing for a clock that goes back', () => {
    const gaps = fc.array(fc.integer({ min: -5_000, max: 5_000 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(policies, gaps, (policy, schedule) => {
        expect(worstExcess(policy, schedule)).toBeLessThan(1e-6);
      }),
    );
  });

  it('fills up from the new time after the clock was set back', () => {
    const empty = takeTimes(40, WRITES, undefined, START);
    const refused = take(WRITES, empty, START - 3_600_000);
    expect(refused.granted).toBe(false);
    expect(take(WRITES, refused, START - 3_600_000 + 50).granted).toBe(true);
  });

  it('takes nothing for a clock that was set back', () => {
    const first = take(WRITES, undefined, START);
    expect(tokensLeft(WRITES, take(WRITES, first, START - 3_600_000))).toBe(38);
  });

  it('refuses nobody who waits for the token that was announced', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(policies, gaps, (policy, schedule) => {
        let now = START;
        let bucket: Bucket | undefined;
        for (const gap of schedule) {
          const taken = take(policy, bucket, (now += gap));
          const next = now + Math.ceil(msUntilTokens(policy, taken));
          expect(take(policy, taken, next).granted).toBe(true);
          bucket = taken;
        }
      }),
    );
  });

  it('takes over a bucket from before the rate was lowered', () => {
    const slow: Policy = { rate: 1, periodMs: 1_000, burst: 2 };
    const taken = take(slow, { missing: 40_000, at: START }, START);
    expect(taken).toMatchObject({ granted: false, missing: 2_000 });
    expect(tokensLeft(slow, taken)).toBe(0);
  });
});

describe('what a bucket tells', () => {
  it('counts whole tokens, and ms until the next and until full', () => {
    const first = take(WRITES, undefined, START);
    expect(tokensLeft(WRITES, first)).toBe(39);
    expect(msUntilFull(WRITES, first)).toBe(50);
    expect(msUntilTokens(WRITES, first)).toBe(0);

    const empty = takeTimes(40, WRITES, undefined, START);
    expect(tokensLeft(WRITES, empty)).toBe(0);
    expect(msUntilFull(WRITES, empty)).toBe(fillMs(WRITES));
    expect(msUntilTokens(WRITES, empty)).toBe(50);
    expect(msUntilTokens(WRITES, take(WRITES, empty, START + 20))).toBe(30);
  });

  it('fills a page bucket within a minute', () => {
    expect(fillMs({ rate: 60, periodMs: 60_000, burst: 60 })).toBe(60_000);
  });
});

describe('charge', () => {
  const READS: Policy = { rate: 50, periodMs: 1_000, burst: 100, debt: 2 };

  it('takes more than there is, for which those who come next wait', () => {
    const owing = charge(READS, take(READS, undefined, START), START, 149);
    expect(owing).toEqual({ granted: true, missing: 150_000, at: START });
    expect(tokensLeft(READS, owing)).toBe(0);
    expect(msUntilTokens(READS, owing)).toBe(1_020);
    expect(take(READS, owing, START + 1_019).granted).toBe(false);
    expect(take(READS, owing, START + 1_020).granted).toBe(true);
    expect(take(READS, owing, START + 3_000)).toMatchObject({ missing: 1_000 });
  });

  it('lets nobody owe more than the policy says', () => {
    const owing = charge(READS, undefined, START, 10_000);
    expect(owing.missing).toBe(300_000);
    expect(charge(WRITES, undefined, START, 10_000).missing).toBe(40_000);
  });
});
