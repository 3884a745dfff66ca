import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import { Membership } from './membership.entity.js';
import { User } from './user.entity.js';
import { UserRecoveryCode } from './user-recovery-code.entity.js';

/** A user's credentials at the time of authentication. */
export type Credentials = Pick<User, 'id' | 'passwordHash' | 'totpSecret'>;

/** Locks users until the transaction ends. */
const HELD = { mode: 'for_no_key_update' } as const;

const TAKE_STEP: Statement = {
  name: 'user_take_totp_step',
  text: `UPDATE users SET totp_last_step = $3
    WHERE id = $1 AND totp_secret = $2 AND coalesce(totp_last_step, 0) < $3 RETURNING 1`,
};

const LIST: Statement = {
  name: 'user_list',
  text: `SELECT u.id, u.email, u.name, u.platform_role AS "platformRole",
      u.totp_confirmed_at IS NOT NULL AS "hasSecondFactor", u.created_at AS "createdAt",
      u.disabled_at AS "disabledAt",
      (SELECT count(*)::integer FROM memberships m WHERE m.user_id = u.id) AS merchants
    FROM users u ORDER BY u.email`,
};

/** A user as operators see it. */
export interface ListedUser extends Pick<
  User,
  'id' | 'email' | 'name' | 'platformRole' | 'createdAt' | 'disabledAt'
> {
  readonly hasSecondFactor: boolean;
  /** Number of memberships. */
  readonly merchants: number;
}

/** Stores portal users. */
@Injectable()
export class UserRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(User) private readonly users: LimitedRepository<User>,
    @InjectRepository(UserRecoveryCode)
    private readonly recoveryCodes: LimitedRepository<UserRecoveryCode>,
  ) {}

  find(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** @param email in lower case */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  async insert(tx: EntityManager, user: User): Promise<void> {
    await tx.insert(User, user);
  }

  /** @returns false when the address is taken */
  async insertNew(tx: EntityManager, user: User): Promise<boolean> {
    const insert = tx.createQueryBuilder().insert().into(User).values(user).orIgnore();
    const { raw } = await insert.returning('id').execute();
    return (raw as unknown[]).length === 1;
  }

  async update(tx: EntityManager, id: string, patch: Partial<User>): Promise<void> {
    await tx.update(User, { id }, patch);
  }

  /**
   * Locks the user if the credentials are unchanged since the authentication; concurrent changes of them wait.
   * @returns false when the password or second factor has changed, or the user is disabled
   */
  async holdUnchanged(
    tx: EntityManager,
    { id, passwordHash, totpSecret }: Credentials,
  ): Promise<boolean> {
    const where = { id, passwordHash, totpSecret: totpSecret ?? IsNull(), disabledAt: IsNull() };
    return (await tx.findOne(User, { select: { id: true }, where, lock: HELD })) !== null;
  }

  /**
   * Locks the active operators and returns their ids: two that disable each other concurrently are serialized, and the
   * second one sees the first.
   */
  async holdOperators(tx: EntityManager): Promise<string[]> {
    const operators = await tx.find(User, {
      select: { id: true },
      where: { platformRole: 'operator', disabledAt: IsNull() },
      order: { id: 'ASC' },
      lock: HELD,
    });
    return operators.map(({ id }) => id);
  }

  /** Active operators, and those disabled since then. */
  operatorsSince(tx: EntityManager, since: Date): Promise<Pick<User, 'id' | 'name'>[]> {
    const platformRole = 'operator' as const;
    return tx.find(User, {
      select: { id: true, name: true },
      where: [
        { platformRole, disabledAt: IsNull() },
        { platformRole, disabledAt: MoreThan(since) },
      ],
      order: { id: 'ASC' },
    });
  }

  async join(tx: EntityManager, membership: Membership): Promise<void> {
    await tx.upsert(Membership, membership, ['merchantId', 'userId']);
  }

  /**
   * Accepts a code's time step. @returns false when this or a later step was accepted before, or the secret has changed
   */
  async takeTotpStep(userId: string, secret: string, step: number): Promise<boolean> {
    return (await this.database.query(TAKE_STEP, [userId, secret, step])).length === 1;
  }

  /** Replaces all recovery codes. */
  async setRecoveryCodes(tx: EntityManager, userId: string, hashes: Buffer[]): Promise<void> {
    await tx.delete(UserRecoveryCode, { userId });
    const rows = hashes.map((codeHash) => ({ userId, codeHash, usedAt: null }));
    if (rows.length > 0) await tx.insert(UserRecoveryCode, rows);
  }

  /** @returns false when the code does not exist or was used */
  async takeRecoveryCode(userId: string, codeHash: Buffer, now: Date): Promise<boolean> {
    const unused = { userId, codeHash, usedAt: IsNull() };
    return (await this.recoveryCodes.update(unused, { usedAt: now })).affected === 1;
  }

  recoveryCodesLeft(userId: string): Promise<number> {
    return this.recoveryCodes.countBy({ userId, usedAt: IsNull() });
  }

  /** Names by id. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const select = { id: true, name: true };
    const rows = await this.users.find({ select, where: { id: In(ids) } });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** All users, by address. */
  list(): Promise<ListedUser[]> {
    return this.database.query(LIST, []);
  }
}
