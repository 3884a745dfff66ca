import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { Config } from '../config/config.js';
import { type Share, sharesOf } from './ip-network.js';
import { MemoryBuckets } from './memory-buckets.js';
import { rateLimited } from './rate-limited.js';
import type { Policy } from './token-bucket.js';

const perMinute = (rate: number): Policy => ({ rate, periodMs: 60_000, burst: rate });

/** Tries in vain of one address. Many merchants' messages can come from the few of a provider. */
const POLICIES = { keys: perMinute(60), callbacks: perMinute(600) } as const;

type Kind = keyof typeof POLICIES;

/**
 * Limits what strangers can try for nothing by what they fail at. A try holds a token until it has
 * succeeded, so that those at the same moment count too. Each process counts alone: the work that is
 * spared is its own.
 */
@Injectable()
export class FailedTries {
  private readonly buckets: Readonly<Record<Kind, MemoryBuckets>> = {
    keys: new MemoryBuckets(POLICIES.keys),
    callbacks: new MemoryBuckets(POLICIES.callbacks),
  };

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /**
   * A problem that is the caller's own is a failure; that the database is away is none.
   * @throws Problem `rate_limited`, before anything is done
   */
  async attempt<T>(kind: Kind, address: string, work: () => Promise<T>): Promise<T> {
    if (!this.config.rateLimits) return work();
    const networks = sharesOf(address);
    this.take(kind, networks);
    let failed = false;
    try {
      return await work();
    } catch (error) {
      failed = error instanceof Problem && error.status < 500;
      throw error;
    } finally {
      if (!failed) this.giveBack(kind, networks);
    }
  }

  /** From all of them, or from none. */
  private take(kind: Kind, networks: readonly Share[]): void {
    const now = this.clock.now().getTime();
    for (const [i, { holder, share }] of networks.entries()) {
      const taken = this.buckets[kind].take(holder, now, share);
      if (taken.granted) continue;
      this.giveBack(kind, networks.slice(0, i));
      throw rateLimited(POLICIES[kind], taken);
    }
  }

  private giveBack(kind: Kind, networks: readonly Share[]): void {
    for (const { holder, share } of networks) this.buckets[kind].giveBack(holder, share);
  }
}
