import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../database/database.js';
import type { MerchantRole } from '../../database/entities/membership.entity.js';
import type { PlatformRole, User } from '../../database/entities/user.entity.js';
import { UserRepository } from '../../database/repositories/user.repository.js';
import { AuditService, type Deed } from './audit.service.js';
import { SessionsService } from './sessions.service.js';
import { type NewUser, UsersService } from './users.service.js';

/** Nobody signs in to type a command. */
const OPERATOR = { session: null, place: null, address: 'command line' } as const;

export interface Post {
  /** Null for a role at the platform. */
  readonly merchantId: string | null;
  readonly role: MerchantRole | PlatformRole;
}

/** Accounts that an operator opens and closes outside the portal. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly rows: UserRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** Writes down what else was done by a command, in the transaction of what was done. */
  note(tx: EntityManager, deed: Deed): Promise<void> {
    return this.audit.record(tx, OPERATOR, deed);
  }

  /** @returns null when somebody has this address already */
  async open(
    person: Omit<NewUser, 'platformRole'>,
    { merchantId, role }: Post,
  ): Promise<User | null> {
    const platform = merchantId === null ? { platformRole: role as PlatformRole } : {};
    const user = await this.users.prepare({ ...person, ...platform });
    return this.database.transaction(async (tx) => {
      if (!(await this.rows.insertNew(tx, user))) return null;
      if (merchantId) await this.users.join(tx, user.id, merchantId, role as MerchantRole);
      const deed = { action: 'user.created', subject: user.id, data: { role } };
      await this.audit.record(tx, OPERATOR, { ...deed, ...(merchantId ? { merchantId } : {}) });
      return user;
    });
  }

  /** @returns the user's id; null when there is nobody, or the account is closed */
  async close(email: string): Promise<string | null> {
    const user = await this.users.findByEmail(email);
    if (!user || user.disabledAt) return null;
    await this.database.transaction(async (tx) => {
      await this.users.disable(tx, user.id);
      await this.sessions.endOthers(tx, user.id, null);
      await this.audit.record(tx, OPERATOR, { action: 'user.disabled', subject: user.id });
    });
    return user.id;
  }
}
