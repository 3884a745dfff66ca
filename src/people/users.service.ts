import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { MerchantRole } from '../database/people/membership.entity.js';
import type { PlatformRole, User } from '../database/people/user.entity.js';
import { type ListedUser, UserRepository } from '../database/people/user.repository.js';
import { hashPassword } from './passwords/password.js';

export interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly platformRole?: PlatformRole;
}

/** 120 random bits, in letters and digits that can be typed. */
export const newPassword = (): string => randomBytes(15).toString('base64url');

/** The people who may sign in. */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns null when somebody has this address already */
  async create(input: NewUser): Promise<User | null> {
    if (await this.users.findByEmail(input.email.toLowerCase())) return null;
    const user = await this.prepare(input);
    await this.database.transaction((tx) => this.insert(tx, user));
    return user;
  }

  /** Inserts what `prepare` has made. */
  insert(tx: EntityManager, user: User): Promise<void> {
    return this.users.insert(tx, user);
  }

  /** A user to be inserted: hashing takes time that no transaction should. */
  async prepare({ email, name, password, platformRole }: NewUser): Promise<User> {
    const createdAt = this.clock.now();
    return {
      id: uuidv7(createdAt.getTime()),
      email: email.toLowerCase(),
      name,
      passwordHash: await hashPassword(password),
      platformRole: platformRole ?? null,
      totpSecret: null,
      totpConfirmedAt: null,
      totpLastStep: null,
      wrongCodes: 0,
      codesFrom: null,
      createdAt,
      disabledAt: null,
    };
  }

  async join(
    tx: EntityManager,
    userId: string,
    merchantId: string,
    role: MerchantRole,
  ): Promise<void> {
    await this.users.join(tx, { merchantId, userId, role, createdAt: this.clock.now() });
  }

  find(id: string): Promise<User | null> {
    return this.users.find(id);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  /** What people are called, by id. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.users.names(ids);
  }

  list(): Promise<ListedUser[]> {
    return this.users.list();
  }

  /** The hash is made before: that takes time which no transaction should. */
  async setPasswordHash(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    await this.users.update(tx, id, { passwordHash });
  }

  /**
   * Lets nobody sign in with the account until `enable`.
   * @param doer must be an operator still; null on the command line
   * @returns false when no operator would be left, or the doer is none any more
   */
  async disable(tx: EntityManager, id: string, actor: string | null): Promise<boolean> {
    const operators = await this.users.holdOperators(tx);
    if (actor !== null && !operators.includes(actor)) return false;
    if (operators.length === 1 && operators[0] === id) return false;
    await this.users.update(tx, id, { disabledAt: this.clock.now() });
    return true;
  }

  async enable(tx: EntityManager, id: string): Promise<void> {
    await this.users.update(tx, id, { disabledAt: null });
  }
}
