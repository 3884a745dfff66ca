import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Owner } from '../database/keys.js';
import { seconds } from './rate-limited.js';
import { RateLimiter } from './rate-limiter.js';
import { msUntilTokens } from '../overload/token-bucket.js';

/** Rows of which one request can write many. */
type Rows = 'payoutLines' | 'resentEvents';

/**
 * Rate limiter for rows that one merchant writes in a mode, where one request writes many. Limits of waiting or open
 * items are not enough: those end soon and can be requested again, but their rows stay.
 */
@Injectable()
export class WrittenRows {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Call before the transaction, since it may query Redis.
   * @returns seconds until rows may be written again; null if they may be written now
   */
  async secondsUntilAllowed(rows: Rows, owner: Owner): Promise<number | null> {
    if (!this.config.rateLimits) return null;
    const taken = await this.limiter.take(rows, bucketOf(owner), 0);
    if (taken.granted) return null;
    return seconds(msUntilTokens(this.limiter.policies[rows], taken, 0));
  }

  /** Charges rows after the commit; later writes wait until the debt is paid. */
  async wrote(rows: Rows, owner: Owner, count: number): Promise<void> {
    if (this.config.rateLimits && count > 0) {
      await this.limiter.charge([[rows, bucketOf(owner), count]]);
    }
  }
}

const bucketOf = ({ merchantId, mode }: Owner): string => `${merchantId} ${mode}`;
