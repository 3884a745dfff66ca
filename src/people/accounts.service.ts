import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { MerchantRole } from '../database/people/membership.entity.js';
import type { PlatformRole, User } from '../database/people/user.entity.js';
import { UserRepository } from '../database/people/user.repository.js';
import { AuditService, type NewAuditEntry } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { AccountNotifier } from './mails/account-notifier.js';
import { OwnerNotifier } from './mails/owner-notifier.js';
import { TotpService } from './second-factor/totp.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { type NewUser, UsersService } from './users.service.js';

/** Nobody signs in to type a command. */
const OPERATOR = { session: null, access: null, address: 'command line' } as const;

export interface Post {
  /** Null for a role at the platform. */
  readonly merchantId: string | null;
  readonly role: MerchantRole | PlatformRole;
}

/** Somebody must be left who can let others in. */
export class LastOperatorError extends Error {
  constructor() {
    super('This is the last operator who can sign in. Make another one first: user create.');
    this.name = 'LastOperatorError';
  }
}

/** Accounts that an operator opens and closes outside the portal. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly rows: UserRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly departures: DeparturesService,
    private readonly owners: OwnerNotifier,
    private readonly notifier: AccountNotifier,
    private readonly audit: AuditService,
  ) {}

  /** Writes down what else was done by a command, in the transaction of what was done. */
  note(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    return this.audit.record(tx, OPERATOR, entry);
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
      if (merchantId) await this.join(tx, user, merchantId, role as MerchantRole);
      const entry = { action: 'user.created', subject: user.id, data: { role } };
      await this.audit.record(tx, OPERATOR, { ...entry, ...(merchantId ? { merchantId } : {}) });
      return user;
    });
  }

  /**
   * @returns the user's id; null when there is nobody, or the account is closed
   * @throws LastOperatorError
   */
  async close(email: string): Promise<string | null> {
    const user = await this.users.findByEmail(email);
    if (!user || user.disabledAt) return null;
    await this.change(user, 'disabled', async (tx) => {
      if (!(await this.users.disable(tx, user.id, null))) throw new LastOperatorError();
      await this.departures.ofUser(tx, OPERATOR, user);
    });
    return user.id;
  }

  /** @returns the user's id; null when there is nobody, or the account is open */
  async reopen(email: string): Promise<string | null> {
    const user = await this.users.findByEmail(email);
    if (!user?.disabledAt) return null;
    await this.change(user, 'enabled', (tx) => this.users.enable(tx, user.id));
    return user.id;
  }

  /**
   * For somebody who has lost the telephone and the recovery codes: the password alone signs in,
   * until a new second step is set up.
   * @returns the user's id; null when there is nobody, or no second step
   */
  async forgetSecondStep(email: string): Promise<string | null> {
    const user = await this.users.findByEmail(email);
    if (!user?.totpConfirmedAt) return null;
    await this.change(user, 'forgotten', async (tx) => {
      await this.totp.forget(tx, user.id);
      await this.notifier.changed(tx, user.id, ACTIONS.forgotten, OPERATOR.address);
    });
    return user.id;
  }

  private async join(
    tx: EntityManager,
    { id }: User,
    merchantId: string,
    role: MerchantRole,
  ): Promise<void> {
    // Before: the newcomer knows.
    await this.owners.notifyOf(tx, merchantId, 'made', { role });
    await this.users.join(tx, id, merchantId, role);
  }

  /** Nobody goes on with a session of before, and the owners of the user’s merchants are told. */
  private async change(
    user: User,
    what: keyof typeof ACTIONS,
    work: (tx: EntityManager) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await work(tx);
      await this.sessions.endOthers(tx, user.id, null);
      await this.audit.record(tx, OPERATOR, { action: ACTIONS[what], subject: user.id });
      await this.owners.notifyAll(tx, what, user);
    });
  }
}

/** As the audit log has them. */
const ACTIONS = {
  disabled: 'user.disabled',
  enabled: 'user.enabled',
  forgotten: 'second-factor.forgotten',
} as const;
