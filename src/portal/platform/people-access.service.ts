import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import {
  type ListedPerson,
  PlatformRepository,
} from '../../database/people/platform.repository.js';
import { AuditService } from '../../people/audit.service.js';
import { DeparturesService } from '../../people/departures.service.js';
import { OwnerNotifier } from '../../people/mails/owner-notifier.js';
import type { SignedInContext } from '../../people/portal-context.js';
import { notFound, Refusal } from '../../people/refusal.js';
import { UsersService } from '../../people/users.service.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from '../kit/list-query.js';

/** Who may sign in, and who no longer. */
@Injectable()
export class PeopleAccessService {
  constructor(
    private readonly database: Database,
    private readonly platform: PlatformRepository,
    private readonly users: UsersService,
    private readonly owners: OwnerNotifier,
    private readonly departures: DeparturesService,
    private readonly audit: AuditService,
  ) {}

  async list(query: ListQuery): Promise<ListPage<ListedPerson>> {
    const found = await this.platform.people({ ...query, limit: PAGE + 1 });
    return pageOf(query, found);
  }

  /**
   * Signs the user out everywhere and lets nobody in under the name until `enable`.
   * @throws Refusal 404; 409 for oneself, and when no operator would be left who can sign in
   */
  async disable(context: SignedInContext, id: string): Promise<void> {
    if (id === context.session.userId) throw yourself();
    await this.database.transaction(async (tx) => {
      // First, and always in one order: two who disable each other at once must not wait for ever.
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

  /** @throws Refusal 404 */
  async enable(context: SignedInContext, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const user = await this.platform.lockUser(tx, id);
      if (!user) throw notFound();
      await this.users.enable(tx, id);
      await this.audit.record(tx, context, { action: 'person.enabled', subject: id });
      await this.owners.notifyAll(tx, 'enabled', user);
    });
    await this.owners.wake();
  }
}

const yourself = (): Refusal =>
  new Refusal(409, 'You cannot disable yourself', 'Ask another operator to do it.');

const lastOperator = (): Refusal =>
  new Refusal(
    409,
    'This could not be changed',
    'An operator who can sign in must be left. Or somebody has disabled you meanwhile.',
  );
