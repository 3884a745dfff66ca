import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GENERATION_MAX, MemoryBuckets } from './memory-buckets.js';
import { type Bucket, fillMs, type Policy, take } from './token-bucket.js';

const POLICY: Policy = { rate: 2, periodMs: 1_000, burst: 4 };
const START = Date.UTC(2026, 0, 1);

describe('MemoryBuckets', () => {
  it('counts each owner alone', () => {
    const buckets = new MemoryBuckets(POLICY);
    const taken = ['a', 'a', 'a', 'a', 'a', 'b'].map((owner) => buckets.take(owner, START).granted);
    expect(taken).toEqual([true, true, true, true, false, true]);
  });

  it('decides as if it never forgot a bucket', () => {
    const requests = fc.array(
      fc.record({ owner: fc.constantFrom('a', 'b', 'c'), gap: fc.integer({ min: 0, max: 1_500 }) }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(requests, (schedule) => {
        const buckets = new MemoryBuckets(POLICY);
        const all = new Map<string, Bucket>();
        let now = START;
        for (const { owner, gap } of schedule) {
          const expected = take(POLICY, all.get(owner), (now += gap));
          all.set(owner, expected);
          expect(buckets.take(owner, now)).toEqual(expected);
        }
      }),
    );
  });

  it('forgets owners who stay away', () => {
    const buckets = new MemoryBuckets(POLICY);
    for (let i = 0; i < 1_000; i++) buckets.take(`owner ${i}`, START);
    buckets.take('a', START + fillMs(POLICY));
    buckets.take('a', START + 2 * fillMs(POLICY));
    expect(buckets.size).toBeLessThanOrEqual(2);
  });

  it('stays bounded however many owners come at once', () => {
    const buckets = new MemoryBuckets(POLICY);
    for (let i = 0; i < 5 * GENERATION_MAX; i++) buckets.take(`owner ${i}`, START);
    expect(buckets.size).toBeLessThanOrEqual(2 * GENERATION_MAX);
  });
});
