import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { Merchant } from '../entities/merchant.entity.js';
import { Membership, type MerchantRole } from '../entities/membership.entity.js';
import { User } from '../entities/user.entity.js';
import { UserRecoveryCode } from '../entities/user-recovery-code.entity.js';

/** A merchant at which a user has a place. */
export interface Place extends Pick<Merchant, 'id' | 'name' | 'timeZone'> {
  readonly role: MerchantRole;
}

/** What somebody proves who he is with. */
export type Credentials = Pick<User, 'id' | 'passwordHash' | 'totpSecret'>;

const PLACES: Statement = {
  name: 'user_places',
  text: `SELECT m.id, m.name, m.time_zone AS "timeZone", p.role
    FROM memberships p JOIN merchants m ON m.id = p.merchant_id
      JOIN users u ON u.id = p.user_id AND u.platform_role IS NULL
    WHERE p.user_id = $1 ORDER BY m.name, m.id`,
};

/** Whoever changes what the user signs in with waits for who holds it, and the other way round. */
const HOLD = `SELECT 1 FROM users WHERE id = $1 AND password_hash = $2
  AND totp_secret IS NOT DISTINCT FROM $3 AND disabled_at IS NULL FOR NO KEY UPDATE`;

const TAKE_STEP: Statement = {
  name: 'user_take_totp_step',
  text: `UPDATE users SET totp_last_step = $3
    WHERE id = $1 AND totp_secret = $2 AND coalesce(totp_last_step, 0) < $3 RETURNING 1`,
};

const TAKE_RECOVERY_CODE: Statement = {
  name: 'user_take_recovery_code',
  text: `UPDATE user_recovery_codes SET used_at = $3
    WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL RETURNING 1`,
};

const CODES_LEFT: Statement = {
  name: 'user_recovery_codes_left',
  text: `SELECT count(*)::integer AS n FROM user_recovery_codes
    WHERE user_id = $1 AND used_at IS NULL`,
};

/**
 * The operators who can act, held fast: two who disable each other at once come one after the other,
 * and the second finds what the first has done.
 */
const HOLD_OPERATORS = `SELECT id FROM users
  WHERE platform_role = 'operator' AND disabled_at IS NULL ORDER BY id FOR NO KEY UPDATE`;

const NAMES: Statement = {
  name: 'user_names',
  text: 'SELECT id, name FROM users WHERE id = ANY ($1::uuid[])',
};

const LIST: Statement = {
  name: 'user_list',
  text: `SELECT u.id, u.email, u.name, u.platform_role AS "platformRole",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor", u.created_at AS "createdAt",
      u.disabled_at AS "disabledAt",
      (SELECT count(*)::integer FROM memberships m WHERE m.user_id = u.id) AS merchants
    FROM users u ORDER BY u.email`,
};

/** A user as an operator sees one. */
export interface ListedUser extends Pick<
  User,
  'id' | 'email' | 'name' | 'platformRole' | 'createdAt' | 'disabledAt'
> {
  readonly hasSecondFactor: boolean;
  /** How many the user belongs to. */
  readonly merchants: number;
}

/** The people of the portal and their places. */
@Injectable()
export class UserRepository {
  constructor(private readonly database: Database) {}

  find(id: string): Promise<User | null> {
    return this.database.entities((manager) => manager.findOneBy(User, { id }));
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.database.entities((manager) => manager.findOneBy(User, { email }));
  }

  async insert(tx: EntityManager, user: User): Promise<void> {
    await tx.insert(User, user);
  }

  /** @returns false when somebody has the address */
  async insertNew(tx: EntityManager, user: User): Promise<boolean> {
    const insert = tx.createQueryBuilder().insert().into(User).values(user).orIgnore();
    const { raw } = await insert.returning('id').execute();
    return (raw as unknown[]).length === 1;
  }

  async update(tx: EntityManager, id: string, patch: Partial<User>): Promise<void> {
    await tx.update(User, { id }, patch);
  }

  /**
   * Holds the user as he was when he proved who he is.
   * @returns false when he has another password or second factor meanwhile, or may not sign in
   */
  async holdUnchanged(tx: EntityManager, user: Credentials): Promise<boolean> {
    const held: unknown[] = await tx.query(HOLD, [user.id, user.passwordHash, user.totpSecret]);
    return held.length === 1;
  }

  /** The ids of the operators who may sign in; nobody else changes them until the transaction ends. */
  async holdOperators(tx: EntityManager): Promise<string[]> {
    const rows = await tx.query<{ id: string }[]>(HOLD_OPERATORS);
    return rows.map(({ id }) => id);
  }

  /** Where the user may go, by name; nowhere for somebody with a role at the platform. */
  places(userId: string): Promise<Place[]> {
    return this.database.query(PLACES, [userId]);
  }

  async join(tx: EntityManager, membership: Membership): Promise<void> {
    await tx.upsert(Membership, membership, ['merchantId', 'userId']);
  }

  /** @returns false for a step that was taken before, or is older than one that was; for another app */
  async takeTotpStep(userId: string, secret: string, step: number): Promise<boolean> {
    return (await this.database.query(TAKE_STEP, [userId, secret, step])).length === 1;
  }

  /** Replaces all that were there. */
  async setRecoveryCodes(tx: EntityManager, userId: string, hashes: Buffer[]): Promise<void> {
    await tx.delete(UserRecoveryCode, { userId });
    const rows = hashes.map((codeHash) => ({ userId, codeHash, usedAt: null }));
    if (rows.length > 0) await tx.insert(UserRecoveryCode, rows);
  }

  /** @returns false when there is no such code, or it was used */
  async takeRecoveryCode(userId: string, codeHash: Buffer, now: Date): Promise<boolean> {
    return (await this.database.query(TAKE_RECOVERY_CODE, [userId, codeHash, now])).length === 1;
  }

  async recoveryCodesLeft(userId: string): Promise<number> {
    return (await this.database.query<{ n: number }>(CODES_LEFT, [userId]))[0]!.n;
  }

  /** What people are called, by id. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.database.query<Pick<User, 'id' | 'name'>>(NAMES, [ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Everybody, by address. */
  list(): Promise<ListedUser[]> {
    return this.database.query(LIST, []);
  }
}
