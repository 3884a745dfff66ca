import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import type { MerchantRole } from '../database/people/membership.entity.js';
import type { PlatformRole, User } from '../database/people/user.entity.js';
import { UserRepository } from '../database/people/user.repository.js';
import { AuditService, type NewAuditEntry } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { AccountNotifier } from './mails/account-notifier.js';
import { OperatorNotifier } from './mails/operator-notifier.js';
import { OwnerNotifier } from './mails/owner-notifier.js';
import { hashPassword } from './passwords/password.js';
import { TotpService } from './second-factor/totp.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { newPassword, type NewUser, UsersService } from './users.service.js';

/** Commands have no signed-in user. */
const OPERATOR = { session: null, access: null, address: 'command line' } as const;

export interface Post {
  /** Null for a platform role. */
  readonly merchantId: string | null;
  readonly role: MerchantRole | PlatformRole;
}

/** At least one operator must remain. */
export class LastOperatorError extends Error {
  constructor() {
    super('This is the last operator who can sign in. Make another one first: user create.');
    this.name = 'LastOperatorError';
  }
}

/** Opens and closes accounts from the command line. */
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
    private readonly operators: OperatorNotifier,
    private readonly notifier: AccountNotifier,
    private readonly audit: AuditService,
  ) {}

  /** Records another action of a command, in its transaction. */
  note(tx: EntityManager, entry: NewAuditEntry): Promise<void> {
    return this.audit.record(tx, OPERATOR, entry);
  }

  /** @returns null if the address is taken */
  async open(
    person: Omit<NewUser, 'platformRole'>,
    { merchantId, role }: Post,
  ): Promise<User | null> {
    const platform = merchantId === null ? { platformRole: role as PlatformRole } : {};
    const user = await this.users.prepare({ ...person, ...platform });
    return this.database.transaction(async (tx) => {
      if (!(await this.rows.insertNew(tx, user))) return null;
      if (merchantId) await this.join(tx, user, merchantId, role as MerchantRole);
      await this.operators.gained(tx, OPERATOR, user, 'made');
      const entry = { action: 'user.created', subject: user.id, data: { role } };
      await this.audit.record(tx, OPERATOR, { ...entry, ...(merchantId ? { merchantId } : {}) });
      return user;
    });
  }

  /**
   * @returns the user's id; null if the user does not exist, or is already closed
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

  /**
   * Opens a closed account with a new password, and without its second factor.
   * @returns the user's id and password; null if the user does not exist, or is open
   */
  async reopen(email: string): Promise<{ id: string; password: string } | null> {
    const user = await this.users.findByEmail(email);
    if (!user?.disabledAt) return null;
    const password = newPassword();
    const passwordHash = await hashPassword(password);
    await this.change(user, 'enabled', async (tx) => {
      await this.users.enable(tx, user.id, passwordHash);
      await this.operators.gained(tx, OPERATOR, user, 'reopened');
    });
    return { id: user.id, password };
  }

  /**
   * Removes two-factor authentication from an account whose telephone and recovery codes are lost: the password alone
   * signs in until it is set up again.
   * @returns the user's id; null if the user does not exist, or has no second factor
   */
  async forgetSecondStep(email: string): Promise<string | null> {
    const user = await this.users.findByEmail(email);
    if (!user?.totpConfirmedAt) return null;
    await this.change(user, 'forgotten', async (tx) => {
      await this.totp.forget(tx, user.id);
      await this.notifier.changed(tx, user.id, ACTIONS.forgotten, OPERATOR.address);
      await this.operators.gained(tx, OPERATOR, user, 'forgotten');
    });
    return user.id;
  }

  private async join(
    tx: EntityManager,
    { id }: User,
    merchantId: string,
    role: MerchantRole,
  ): Promise<void> {
    // Notify before adding the user, who needs no notice.
    await this.owners.notifyOf(tx, merchantId, 'made', { role });
    await this.users.join(tx, id, merchantId, role);
  }

  /** Ends all sessions of the user and notifies the owners of the user’s merchants. */
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

/** Action names in the audit log. */
const ACTIONS = {
  disabled: 'user.disabled',
  enabled: 'user.enabled',
  forgotten: 'second-factor.forgotten',
} as const;
