import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { LiveSession } from '../../database/people/user-session.repository.js';
import { type Claim, networkClaims, RateLimiter } from '../../merchants/rate-limiter.js';
import { tokenHash } from './session-token.js';

/** Sessions that one process knows without a look. */
const KNOWN_MAX = 10_000;

type Owner = Pick<LiveSession, 'id' | 'userId'>;

const nameOf = (token: string): string => tokenHash(token).toString('base64');

const claimsOf = ({ id, userId }: Owner): Claim[] => [
  ['visits', `session ${id}`, 1],
  ['visitsOfUser', userId, 1],
];

/**
 * How many pages of the portal somebody may ask for: by session and user who is signed in, by network
 * everybody else, and no stranger takes from who is signed in beside him.
 */
@Injectable()
export class PortalLimits {
  /** By the hashes of their tokens, the first found first. */
  private readonly known = new Map<string, Owner>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Looks a cookie's session up. Where it is not known, its network pays until it has been found.
   * @throws Problem `rate_limited`, before the look where it can be told
   */
  async find(
    address: string,
    token: string | null,
    find: (token: string) => Promise<LiveSession | null>,
  ): Promise<LiveSession | null> {
    if (!this.config.rateLimits) return token === null ? null : find(token);
    const known = token && this.known.get(nameOf(token));
    const claims = known ? claimsOf(known) : networkClaims('visits', address);
    await this.limiter.demandAll(claims);
    const session = token && (await find(token));
    if (!token || !session) return this.forget(token);
    if (known) return session;
    this.remember(token, session);
    await this.limiter.giveBack(claims);
    await this.limiter.demandAll(claimsOf(session));
    return session;
  }

  private remember(token: string, { id, userId }: Owner): void {
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size >= KNOWN_MAX) this.known.delete(oldest);
    this.known.set(nameOf(token), { id, userId });
  }

  private forget(token: string | null): null {
    if (token) this.known.delete(nameOf(token));
    return null;
  }
}
