import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { uuidv7 } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import { SessionEndedError } from '../../database/people/audit.repository.js';
import type { UserSession } from '../../database/people/user-session.entity.js';
import {
  type LiveSession,
  UserSessionRepository,
} from '../../database/people/user-session.repository.js';
import { type Credentials, UserRepository } from '../../database/people/user.repository.js';
import type { SignedInContext } from '../portal-context.js';
import { csrfOf, newToken, tokenHash } from './session-token.js';

const MINUTE_MS = 60_000;
/** Idle timeout of a session. */
export const IDLE_MS = 30 * MINUTE_MS;
/** Absolute lifetime of a session. */
export const LIFE_MS = 12 * 60 * MINUTE_MS;
/** Minimum interval between updates of the last use. */
const SEEN_EVERY_MS = MINUTE_MS;
const AGENT_MAX = 200;

/** Browser of a sign-in. */
export interface KnownBrowser {
  readonly address: string;
  readonly agent: string;
}

/** Signed-in browsers; only they know the token of their cookie. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly sessions: UserSessionRepository,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a session for an authenticated user, always with a new token to prevent session fixation.
   * @returns the token for the cookie; null if the credentials changed since the check
   */
  async begin(
    user: Credentials,
    browser: KnownBrowser,
    secondFactorAt: Date | null,
  ): Promise<string | null> {
    const { token, session } = this.made(user.id, browser, secondFactorAt);
    return this.database.transaction(async (tx) => {
      if (!(await this.users.holdUnchanged(tx, user))) return null;
      await this.sessions.insert(tx, session);
      return token;
    });
  }

  /** Active session of a token; updates its last use. */
  async find(token: string): Promise<LiveSession | null> {
    const now = this.clock.now().getTime();
    const begun = new Date(now - LIFE_MS);
    const session = await this.sessions.find(tokenHash(token), new Date(now - IDLE_MS), begun);
    if (session && now - session.seenAt.getTime() >= SEEN_EVERY_MS) {
      await this.sessions.seen(session.id, new Date(now));
    }
    return session;
  }

  /** Active sessions of the user, the last used first. */
  async list(userId: string): Promise<UserSession[]> {
    const now = this.clock.now().getTime();
    return (await this.sessions.list(userId)).filter(
      ({ seenAt, createdAt }) =>
        now - seenAt.getTime() < IDLE_MS && now - createdAt.getTime() < LIFE_MS,
    );
  }

  /** @returns false if it was already over */
  end({ userId, id }: Pick<LiveSession, 'userId' | 'id'>): Promise<boolean> {
    return this.sessions.end(userId, id, this.clock.now());
  }

  /** Ends the session in the transaction of the cause. */
  endIn(tx: EntityManager, { userId, id }: Pick<LiveSession, 'userId' | 'id'>): Promise<void> {
    return this.sessions.endIn(tx, userId, id, this.clock.now());
  }

  /** Ends all other sessions of the user, in the transaction of the cause. */
  endOthers(tx: EntityManager, userId: string, keptId: string | null): Promise<void> {
    return this.sessions.endOthers(tx, userId, keptId, this.clock.now());
  }

  /**
   * Renews the token whenever a session gains rights, so that a copied token gains nothing. Updates the context, the
   * cookie and all forms of the response.
   * @param also work in the same transaction
   * @throws SessionEndedError if the session is over, or another request renewed it
   */
  async renew<T>(
    context: SignedInContext,
    gained: Partial<Pick<LiveSession, 'secondFactorAt' | 'hasSecondFactor'>>,
    also: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const token = newToken();
    const renewed = { ...context.session, ...gained, tokenHash: tokenHash(token) };
    const result = await this.database.transaction(async (tx) => {
      // Lock order: the user before sessions.
      const done = await also(tx);
      if (!(await this.sessions.renew(tx, context.session, renewed))) throw new SessionEndedError();
      return done;
    });
    context.session = renewed;
    context.csrf = csrfOf(token);
    context.remember(token);
    return result;
  }

  private made(
    userId: string,
    { address, agent }: KnownBrowser,
    secondFactorAt: Date | null,
  ): { token: string; session: UserSession } {
    const token = newToken();
    const now = this.clock.now();
    const session = {
      id: uuidv7(now.getTime()),
      userId,
      tokenHash: tokenHash(token),
      address,
      agent: agent.slice(0, AGENT_MAX),
      createdAt: now,
      seenAt: now,
      secondFactorAt,
      wrongGuesses: 0,
      endedAt: null,
    };
    return { token, session };
  }
}
