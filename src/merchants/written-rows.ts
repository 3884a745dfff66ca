import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Owner } from '../database/keys.js';
import { seconds } from './rate-limited.js';
import { RateLimiter } from './rate-limiter.js';
import { msUntilTokens } from './token-bucket.js';

/** Rows of which one request can write many. */
type Rows = 'payoutLines' | 'resentEvents';

/**
 * Caps the rows that one merchant writes in a mode over time, where one request writes many. What waits or is open at
 * once has limits of its own, but is soon over and asked for again, while its rows stay.
 */
@Injectable()
export class WrittenRows {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Call it before the transaction, since it may ask Redis.
   * @returns seconds until rows may be written again; null if they may be now
   */
  async secondsUntilAllowed(rows: Rows, owner: Owner): Promise<number | null> {
    if (!this.config.rateLimits) return null;
    const taken = await this.limiter.take(rows, bucketOf(owner), 0);
    if (taken.granted) return null;
    return seconds(msUntilTokens(this.limiter.policies[rows], taken, 0));
  }

  /** Counts rows once they are committed; the next ones wait for what is owed. */
  async wrote(rows: Rows, owner: Owner, count: number): Promise<void> {
    if (this.config.rateLimits && count > 0) {
      await this.limiter.charge([[rows, bucketOf(owner), count]]);
    }
  }
}

const bucketOf = ({ merchantId, mode }: Owner): string => `${merchantId} ${mode}`;
