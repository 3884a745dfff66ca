import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GENERATION_MAX, MemoryBuckets } from './memory-buckets.js';
import { type Bucket, fillMs, type Policy, take } from './token-bucket.js';

const POLICY: Policy = { rate: 1, periodMs: 1_000, burst: 4 };
const START = Date.UTC(2026, 0, 1);

describe('MemoryBuckets', () => {
  it('counts each owner alone', () => {
    const buckets = new MemoryBuckets(POLICY);
    const taken = ['a', 'a', 'a', 'a', 'a', 'b'].map((owner) => buckets.take(owner, START).granted);
    expect(taken).toEqual([true, true, true, true, false, true]);
  });

  it('decides as if it never forgot a bucket', () => {
    // Bursts that empty a bucket, with pauses between them in which a generation may end.
    const gaps = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 5_000 }));
    const requests = fc.array(fc.record({ owner: fc.constantFrom('a', 'b'), gap: gaps }), {
      minLength: 30,
      maxLength: 80,
      size: 'max',
    });
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

  it('keeps an empty bucket until the very ms in which it is full', () => {
    for (let emptied = 0; emptied < fillMs(POLICY); emptied += 100) {
      const buckets = new MemoryBuckets(POLICY);
      for (let ms = 0; ms < emptied + fillMs(POLICY); ms += 100) {
        buckets.take('other', START + ms);
        if (ms === emptied) for (let i = 0; i < 4; i++) buckets.take('a', START + ms);
      }
      const back = buckets.take('a', START + emptied + fillMs(POLICY) - 1);
      expect(back.missing).toBe(1 + POLICY.periodMs);
    }
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
