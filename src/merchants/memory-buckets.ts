import { type Bucket, charge, longestMs, type Policy, take, type Taken } from './token-bucket.js';

/** Buckets that one generation holds at most; there are two generations. */
export const GENERATION_MAX = 50_000;

/**
 * The buckets of one process under one policy. Used buckets move to the young generation; when the
 * young one is as old as a bucket takes to fill up, the old one is dropped whole. Nobody has used its
 * buckets since, so they are full, and a full bucket is like none: nothing is lost, and no request
 * pays for cleaning up. Only with more owners at once than fit is a bucket forgotten early.
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
