import { type Bucket, charge, longestMs, type Policy, take, type Taken } from './token-bucket.js';

/** Maximum buckets per generation; there are two. */
export const GENERATION_MAX = 50_000;

/**
 * In-memory buckets of one policy. Used buckets move to the young generation. When it is as old as a bucket takes to
 * refill, the old generation is dropped as a whole: its unused buckets are full, and a full bucket is the same as none.
 * So nothing is lost, and no request pays for cleaning up. Buckets are dropped early only with more owners than fit.
 */
export class MemoryBuckets {
  private young = new Map<string, Bucket>();
  private old = new Map<string, Bucket>();
  private youngSince = -Infinity;

  constructor(private readonly policy: Policy) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** @param now epoch ms */
  take(owner: string, now: number, tokens = 1): Taken {
    return this.change(owner, now, (bucket) => take(this.policy, bucket, now, tokens));
  }

  /** What `take` would return; takes nothing. */
  peek(owner: string, now: number, tokens: number): Taken {
    return take(this.policy, this.young.get(owner) ?? this.old.get(owner), now, tokens);
  }

  charge(owner: string, now: number, tokens: number): Taken {
    return this.change(owner, now, (bucket) => charge(this.policy, bucket, now, tokens));
  }

  private change(owner: string, now: number, by: (bucket?: Bucket) => Taken): Taken {
    const age = now - this.youngSince;
    if (age >= longestMs(this.policy) || this.young.size >= GENERATION_MAX) this.age(now);
    const taken = by(this.young.get(owner) ?? this.old.get(owner));
    this.young.set(owner, taken);
    return taken;
  }

  private age(now: number): void {
    this.old = this.young;
    this.young = new Map();
    this.youngSince = now;
  }
}
