import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
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

/** 120 random bits as letters and digits that can be typed. */
export const newPassword = (): string => randomBytes(15).toString('base64url');

/** User accounts. */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns null if the address is taken */
  async create(input: NewUser): Promise<User | null> {
    if (await this.users.findByEmail(input.email.toLowerCase())) return null;
    const user = await this.prepare(input);
    await this.database.transaction((tx) => this.insert(tx, user));
    return user;
  }

  /** Inserts a user from `prepare`. */
  insert(tx: EntityManager, user: User): Promise<void> {
    return this.users.insert(tx, user);
  }

  /** Prepares a user for insertion; hashes the password outside of transactions. */
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

  /** Names of users by id. */
  names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.users.names(ids);
  }

  list(): Promise<ListedUser[]> {
    return this.users.list();
  }

  /** Takes a finished hash, since hashing is too slow for a transaction. */
  async setPasswordHash(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    await this.users.update(tx, id, { passwordHash });
  }

  /**
   * Blocks sign-ins to the account until `enable`.
   * @param actor must still be an operator; null on the command line
   * @returns false if no operator would be left, or the actor no longer is one
   */
  async disable(tx: EntityManager, id: string, actor: string | null): Promise<boolean> {
    const operators = await this.users.holdOperators(tx);
    if (actor !== null && !operators.includes(actor)) return false;
    if (operators.length === 1 && operators[0] === id) return false;
    await this.users.update(tx, id, { disabledAt: this.clock.now() });
    return true;
  }

  /**
   * Opens a closed account without its old secrets, which may be why it was closed, or be known to others since.
   * @param passwordHash of a new password
   */
  async enable(tx: EntityManager, id: string, passwordHash: string): Promise<void> {
    const secrets = { passwordHash, totpSecret: null, totpConfirmedAt: null, totpLastStep: null };
    await this.users.setRecoveryCodes(tx, id, []);
    await this.users.update(tx, id, { disabledAt: null, ...secrets });
  }
}
