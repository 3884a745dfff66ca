import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import {
  type ListedPerson,
  PlatformRepository,
} from '../../database/repositories/platform.repository.js';
import { AuditService } from '../people/audit.service.js';
import { notFound, Refusal } from '../refusal.js';
import type { SignedVisit } from '../visit.js';
import { type ListPage, type ListQuery, PAGE, pageOf } from './list-query.js';

/** Who may sign in, and who no longer. */
@Injectable()
export class PeopleAccessService {
  constructor(
    private readonly database: Database,
    private readonly platform: PlatformRepository,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async list(query: ListQuery): Promise<ListPage<ListedPerson>> {
    const found = await this.platform.people({ ...query, limit: PAGE + 1 });
    return pageOf(query, found);
  }

  /**
   * Signs the user out everywhere and lets nobody in under the name until `enable`.
   * @throws Refusal 404; 409 for oneself, so that one operator is always left
   */
  async disable(visit: SignedVisit, id: string): Promise<void> {
    if (id === visit.session.userId) throw yourself();
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      const user = await this.platform.lockUser(tx, id);
      if (!user) throw notFound();
      await this.platform.setDisabled(tx, id, user.disabledAt ?? now);
      await this.platform.endSessions(tx, id, now);
      await this.audit.record(tx, visit, { action: 'person.disabled', subject: id });
    });
  }

  /** @throws Refusal 404 */
  async enable(visit: SignedVisit, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      if (!(await this.platform.lockUser(tx, id))) throw notFound();
      await this.platform.setDisabled(tx, id, null);
      await this.audit.record(tx, visit, { action: 'person.enabled', subject: id });
    });
  }
}

const yourself = (): Refusal =>
  new Refusal(409, 'You cannot disable yourself', 'Ask another operator to do it.');
