import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Problem } from '../http/problems/problem.js';
import { type FailurePolicy, networkClaims, RateLimiter } from './rate-limiter.js';

/**
 * Limits unauthenticated clients by failed attempts. An attempt holds a token until it succeeds, so that concurrent
 * attempts count, too.
 */
@Injectable()
export class FailedAttempts {
  constructor(
    private readonly config: Config,
    private readonly limiter: RateLimiter,
  ) {}

  /**
   * Client errors count as failures; an unavailable database does not.
   * @throws Problem `rate_limited`, before anything is done
   */
  async attempt<T>(policy: FailurePolicy, address: string, work: () => Promise<T>): Promise<T> {
    if (!this.config.rateLimits) return work();
    const claims = networkClaims(policy, address);
    await this.limiter.demandAll(claims);
    let failed = false;
    try {
      return await work();
    } catch (error) {
      failed = error instanceof Problem && error.status < 500;
      throw error;
    } finally {
      if (!failed) await this.limiter.giveBack(claims);
    }
  }
}
