import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  type ListedPerson,
  PlatformRepository,
} from '../../database/read-models/platform.repository.js';
import { AuditService } from '../../people/audit.service.js';
import { DeparturesService } from '../../people/departures.service.js';
import { OwnerNotifier } from '../../people/mails/owner-notifier.js';
import { hashPassword } from '../../people/passwords/password.js';
import { PasswordWork } from '../../people/passwords/password-work.js';
import { ResetService } from '../../people/passwords/reset.service.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { notFound, Refusal } from '../../people/refusal.js';
import { newPassword, UsersService } from '../../people/users.service.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../kit/list-query.js';

/** Enables and disables user accounts. */
@Injectable()
export class PeopleAccessService {
  constructor(
    private readonly database: Database,
    private readonly platform: PlatformRepository,
    private readonly users: UsersService,
    private readonly owners: OwnerNotifier,
    private readonly resets: ResetService,
    private readonly passwords: PasswordWork,
    private readonly departures: DeparturesService,
    private readonly audit: AuditService,
  ) {}

  async list(query: ListQuery): Promise<ListPage<ListedPerson>> {
    const found = await this.platform.people({ ...query, limit: PAGE + 1 });
    return pageOf(query, found);
  }

  /**
   * Signs the user out everywhere and blocks sign-ins until `enable`.
   * @throws Refusal 404; 409 for oneself, or if no operator could sign in afterwards
   */
  async disable(context: SignedInContext, id: string): Promise<void> {
    if (id === context.session.userId) throw yourself();
    await this.database.transaction(async (tx) => {
      // Locks users in a fixed order: two operators who disable each other at once must not deadlock.
      const isDone = await this.users.disable(tx, id, context.session.userId);
      const user = await this.platform.lockUser(tx, id);
      if (!user) throw notFound();
      if (!isDone) throw lastOperator();
      await this.audit.record(tx, context, { action: 'person.disabled', subject: id });
      await this.owners.notifyAll(tx, 'disabled', user);
      await this.departures.ofUser(tx, context, user);
    });
    await this.owners.wake();
  }

  /**
   * Enables the account of a merchant's user, who sets a new password by a link in a mail.
   * @throws Refusal 404; 409 for platform staff: an operator could otherwise act as the second person
   */
  async enable(context: SignedInContext, id: string): Promise<void> {
    const unknown = await this.passwords.run(
      { address: context.address, known: context.session.userId },
      () => hashPassword(newPassword()),
    );
    await this.database.transaction(async (tx) => {
      const user = await this.platform.lockUser(tx, id);
      if (!user) throw notFound();
      // A second request must not take away the password that the user has chosen meanwhile.
      if (!user.disabledAt) return;
      if (user.platformRole) throw platformStaff();
      await this.users.enable(tx, id, unknown);
      await this.resets.invite(tx, user);
      await this.audit.record(tx, context, { action: 'person.enabled', subject: id });
      await this.owners.notifyAll(tx, 'enabled', user);
    });
    await Promise.all([this.owners.wake(), this.resets.wake()]);
  }
}

const platformStaff = (): Refusal =>
  new Refusal(
    409,
    'This account is opened on the command line',
    'Operators and support are opened as they are made, by the command “user enable”: all operators get a mail about a new operator.',
  );

const yourself = (): Refusal =>
  new Refusal(409, 'You cannot disable yourself', 'Ask another operator to do it.');

const lastOperator = (): Refusal =>
  new Refusal(
    409,
    'This could not be changed',
    'At least one operator must be able to sign in, or your own account has been disabled.',
  );
