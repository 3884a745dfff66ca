import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import type { LiveSession } from '../../database/people/user-session.repository.js';
import { type Claim, networkClaims, RateLimiter } from '../../merchants/rate-limiter.js';
import { tokenHash } from './session-token.js';

/** Sessions cached per process. */
const KNOWN_MAX = 10_000;

type Owner = Pick<LiveSession, 'id' | 'userId'>;

const nameOf = (token: string): string => tokenHash(token).toString('base64');

const claimsOf = ({ id, userId }: Owner): Claim[] => [
  ['visits', `session ${id}`, 1],
  ['visitsOfUser', userId, 1],
];

/**
 * Rate limits of portal pages: per session and user when signed in, otherwise per network. Unauthenticated clients
 * never use up the budget of signed-in users.
 */
@Injectable()
export class PortalLimits {
  /** By token hash, the oldest first. */
  private readonly known = new Map<string, Owner>();

  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
  ) {}

  /**
   * Looks up the session of a cookie. Unknown sessions count against their network until found.
   * @throws Problem `rate_limited`, if possible before the lookup
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

  /** Whether the cookie belongs to a session that this process has found. */
  isKnown(token: string): boolean {
    return this.known.has(nameOf(token));
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
