import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { User } from '../../database/entities/user.entity.js';
import { UserLinkRepository } from '../../database/repositories/user-link.repository.js';
import { AuditService, type Doer } from './audit.service.js';
import { SessionsService } from './sessions.service.js';

/**
 * Ends what somebody leaves behind: nothing that he began opens a door after him, and no invitation
 * of before brings him back. Roles are read with each request, so a session needs to end only with
 * the account.
 */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly links: UserLinkRepository,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The account is closed: nobody signs in with it, by a link or otherwise. */
  async ofUser(tx: EntityManager, doer: Doer, { id, email }: User): Promise<void> {
    await this.sessions.endOthers(tx, id, null);
    await this.links.endResets(tx, email, this.clock.now());
    await this.withdraw(tx, doer, id, null);
  }

  /** Somebody has another role at the merchant, or none any more. */
  fromRole(tx: EntityManager, doer: Doer, userId: string, merchantId: string): Promise<void> {
    return this.withdraw(tx, doer, userId, merchantId);
  }

  private async withdraw(
    tx: EntityManager,
    doer: Doer,
    userId: string,
    at: string | null,
  ): Promise<void> {
    for (const { id, merchantId, email } of await this.links.withdraw(tx, userId, at)) {
      const deed = { action: 'invitation.withdrawn', subject: id, merchantId, data: { email } };
      await this.audit.record(tx, doer, deed);
    }
  }
}
