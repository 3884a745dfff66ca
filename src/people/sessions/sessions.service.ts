import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
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
/** A session that is not used for so long is over. */
export const IDLE_MS = 30 * MINUTE_MS;
/** However much it is used, a session ends so long after the sign-in. */
export const LIFE_MS = 12 * 60 * MINUTE_MS;
/** Use is written down at most this often. */
const SEEN_EVERY_MS = MINUTE_MS;
const AGENT_MAX = 200;

/** Where somebody signs in from. */
export interface KnownBrowser {
  readonly address: string;
  readonly agent: string;
}

/** Browsers in which people have signed in; the cookie's token is known to them alone. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly sessions: UserSessionRepository,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins a session for somebody who has proved who he is; always with a new token, so that nobody
   * can plant one.
   * @returns the token for the cookie; null when what he proved it with has been changed since
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

  /** The session of a token while it goes on; this counts as its use. */
  async find(token: string): Promise<LiveSession | null> {
    const now = this.clock.now().getTime();
    const begun = new Date(now - LIFE_MS);
    const session = await this.sessions.find(tokenHash(token), new Date(now - IDLE_MS), begun);
    if (session && now - session.seenAt.getTime() >= SEEN_EVERY_MS) {
      await this.sessions.seen(session.id, new Date(now));
    }
    return session;
  }

  /** Those of the user that go on, the last used first. */
  async list(userId: string): Promise<UserSession[]> {
    const now = this.clock.now().getTime();
    return (await this.sessions.list(userId)).filter(
      ({ seenAt, createdAt }) =>
        now - seenAt.getTime() < IDLE_MS && now - createdAt.getTime() < LIFE_MS,
    );
  }

  /** @returns false when it was over */
  end({ userId, id }: Pick<LiveSession, 'userId' | 'id'>): Promise<boolean> {
    return this.sessions.end(userId, id, this.clock.now());
  }

  /** The same, in the transaction of what makes that right. */
  endIn(tx: EntityManager, { userId, id }: Pick<LiveSession, 'userId' | 'id'>): Promise<void> {
    return this.sessions.endIn(tx, userId, id, this.clock.now());
  }

  /** Signs the user out everywhere else, in the transaction of what makes that right. */
  endOthers(tx: EntityManager, userId: string, keptId: string | null): Promise<void> {
    return this.sessions.endOthers(tx, userId, keptId, this.clock.now());
  }

  /**
   * What a session gains, it gains under another token: a copy of the one before opens nothing from
   * then on. The context goes on with it, in the browser's cookie and in all forms of the answer.
   * @param also what happens in the same transaction
   * @throws SessionEndedError when it is over, or another request has renewed it
   */
  async renew<T>(
    context: SignedInContext,
    gained: Partial<Pick<LiveSession, 'secondFactorAt' | 'hasSecondFactor'>>,
    also: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    const token = newToken();
    const renewed = { ...context.session, ...gained, tokenHash: tokenHash(token) };
    const result = await this.database.transaction(async (tx) => {
      // First, because whoever holds the user goes on to the sessions, and not the other way round.
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
