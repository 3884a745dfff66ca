import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { PlatformRole } from '../entities/user.entity.js';
import { UserSession } from '../entities/user-session.entity.js';

/** A session that goes on, and whose it is. */
export interface LiveSession {
  readonly id: string;
  readonly userId: string;
  /** SHA-256 of what the cookie holds. */
  readonly tokenHash: Buffer;
  readonly seenAt: Date;
  readonly secondFactorAt: Date | null;
  readonly email: string;
  readonly name: string;
  readonly platformRole: PlatformRole | null;
  readonly hasSecondFactor: boolean;
}

const FIND: Statement = {
  name: 'user_session_find',
  text: `SELECT s.id, s.user_id AS "userId", s.token_hash AS "tokenHash",
      s.seen_at AS "seenAt", s.second_factor_at AS "secondFactorAt", u.email, u.name, u.platform_role AS "platformRole",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor"
    FROM user_sessions s JOIN users u ON u.id = s.user_id
    WHERE s.token_hash = $1 AND s.ended_at IS NULL AND s.seen_at > $2 AND s.created_at > $3
      AND u.disabled_at IS NULL`,
};

const SEEN: Statement = {
  name: 'user_session_seen',
  text: 'UPDATE user_sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2',
};

const END: Statement = {
  name: 'user_session_end',
  text: `UPDATE user_sessions SET ended_at = $3
    WHERE user_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ended_at IS NULL RETURNING 1`,
};

const END_IN = `UPDATE user_sessions SET ended_at = $3
  WHERE user_id = $1 AND id = $2 AND ended_at IS NULL`;

/** All but one, or all. */
const END_OTHERS = `UPDATE user_sessions SET ended_at = $3
  WHERE user_id = $1 AND ($2::uuid IS NULL OR id <> $2) AND ended_at IS NULL`;

/** Of two who come at once, the second finds that the token is another one. */
const RENEW = `UPDATE user_sessions SET token_hash = $3, second_factor_at = $4
  WHERE id = $1 AND token_hash = $2 AND ended_at IS NULL`;

type Changed = [rows: unknown[], count: number];

/** Browsers in which people have signed in. */
@Injectable()
export class UserSessionRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: EntityManager, session: UserSession): Promise<void> {
    await tx.insert(UserSession, session);
  }

  /** One that was seen after `seenAfter` and begun after `begunAfter`. */
  async find(tokenHash: Buffer, seenAfter: Date, begunAfter: Date): Promise<LiveSession | null> {
    const values = [tokenHash, seenAfter, begunAfter];
    const [session] = await this.database.query<LiveSession>(FIND, values);
    return session ?? null;
  }

  async seen(id: string, now: Date): Promise<void> {
    await this.database.query(SEEN, [id, now]);
  }

  /** The newest first; some may be too old to go on. */
  list(userId: string): Promise<UserSession[]> {
    return this.database.entities((manager) =>
      manager
        .createQueryBuilder(UserSession, 's')
        .where('s.user_id = :userId AND s.ended_at IS NULL', { userId })
        .orderBy('s.seen_at', 'DESC')
        .limit(100)
        .getMany(),
    );
  }

  /** @param id all of the user's when it is null @returns false when none went on */
  async end(userId: string, id: string | null, now: Date): Promise<boolean> {
    return (await this.database.query(END, [userId, id, now])).length > 0;
  }

  async endIn(tx: EntityManager, userId: string, id: string, now: Date): Promise<void> {
    await tx.query(END_IN, [userId, id, now]);
  }

  /** In the transaction of what makes them worthless. @param keptId null ends all of the user's */
  async endOthers(
    tx: EntityManager,
    userId: string,
    keptId: string | null,
    now: Date,
  ): Promise<void> {
    await tx.query(END_OTHERS, [userId, keptId, now]);
  }

  /** The session goes on with another token. @returns false when it is over, or has another by now */
  async renew(
    tx: EntityManager,
    { id, tokenHash }: LiveSession,
    renewed: Pick<LiveSession, 'tokenHash' | 'secondFactorAt'>,
  ): Promise<boolean> {
    const values = [id, tokenHash, renewed.tokenHash, renewed.secondFactorAt];
    const [, count] = await tx.query<Changed>(RENEW, values);
    return count === 1;
  }
}
