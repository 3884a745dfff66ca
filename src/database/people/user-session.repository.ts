import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, LessThan, Not } from 'typeorm';
import { Database } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Batcher } from '../../overload/batcher.js';
import { gatheredLookup, lookup } from '../lookup.js';
import { bytea } from '../values.js';
import { placesOf, type UserMembership } from './user-membership.js';
import type { PlatformRole } from './user.entity.js';
import { UserSession } from './user-session.entity.js';

/** An active session with its user. */
export interface LiveSession {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of the cookie's token. */
  readonly tokenHash: Buffer;
  readonly seenAt: Date;
  readonly secondFactorAt: Date | null;
  readonly email: string;
  readonly name: string;
  readonly platformRole: PlatformRole | null;
  readonly hasSecondFactor: boolean;
  /** The user's memberships, by merchant name. */
  readonly memberships: readonly UserMembership[];
}

type FoundSession = LiveSession & Pick<UserSession, 'createdAt'>;

const BY_TOKEN = lookup(
  'user_session_by_token',
  { token: 'bytea' },
  ({ token }) => `
    SELECT s.id, s.user_id AS "userId", s.token_hash AS "tokenHash", s.created_at AS "createdAt",
      s.seen_at AS "seenAt", s.second_factor_at AS "secondFactorAt", u.email, u.name,
      u.platform_role AS "platformRole", u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor",
      ${placesOf('u')} AS memberships
    FROM user_sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = ${token} AND s.ended_at IS NULL AND u.disabled_at IS NULL`,
);

/** Limit far above a user's number of browsers. */
const LISTED_MAX = 100;

/** Stores users' sessions. */
@Injectable()
export class UserSessionRepository {
  private readonly byToken: Batcher<{ readonly token: string }, FoundSession | null>;

  constructor(
    database: Database,
    @InjectRepository(UserSession) private readonly sessions: LimitedRepository<UserSession>,
  ) {
    this.byToken = gatheredLookup(database, BY_TOKEN, 'id');
  }

  async insert(tx: EntityManager, session: UserSession): Promise<void> {
    await tx.insert(UserSession, session);
  }

  /** An active session that was seen after `seenAfter` and started after `begunAfter`. */
  async find(tokenHash: Buffer, seenAfter: Date, begunAfter: Date): Promise<LiveSession | null> {
    const session = await this.byToken.ask({ token: bytea(tokenHash) });
    return session && session.seenAt > seenAfter && session.createdAt > begunAfter ? session : null;
  }

  async seen(id: string, now: Date): Promise<void> {
    await this.sessions.update({ id, seenAt: LessThan(now) }, { seenAt: now });
  }

  /** Last seen first; may include expired sessions. */
  list(userId: string): Promise<UserSession[]> {
    const where = { userId, endedAt: IsNull() };
    return this.sessions.find({ where, order: { seenAt: 'DESC' }, take: LISTED_MAX });
  }

  /**
   * @param id null ends all sessions of the user
   * @returns false when none was active
   */
  async end(userId: string, id: string | null, now: Date): Promise<boolean> {
    const going = { userId, endedAt: IsNull(), ...(id === null ? {} : { id }) };
    return (await this.sessions.update(going, { endedAt: now })).affected !== 0;
  }

  async endIn(tx: EntityManager, userId: string, id: string, now: Date): Promise<void> {
    await tx.update(UserSession, { userId, id, endedAt: IsNull() }, { endedAt: now });
  }

  /** Ends other sessions in the transaction of the change that requires it. @param keptId null ends all */
  async endOthers(
    tx: EntityManager,
    userId: string,
    keptId: string | null,
    now: Date,
  ): Promise<void> {
    const others = { userId, endedAt: IsNull(), ...(keptId === null ? {} : { id: Not(keptId) }) };
    await tx.update(UserSession, others, { endedAt: now });
  }

  /**
   * Replaces the session's token. Of two concurrent renewals, the second one fails.
   * @returns false when the session has ended or has another token
   */
  async renew(
    tx: EntityManager,
    { id, tokenHash }: LiveSession,
    { tokenHash: newHash, secondFactorAt }: Pick<LiveSession, 'tokenHash' | 'secondFactorAt'>,
  ): Promise<boolean> {
    const going = { id, tokenHash, endedAt: IsNull() };
    const renewed = { tokenHash: newHash, secondFactorAt };
    return (await tx.update(UserSession, going, renewed)).affected === 1;
  }
}
