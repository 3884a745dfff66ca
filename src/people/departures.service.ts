import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { UserLinkRepository } from '../database/people/user-link.repository.js';
import type { User } from '../database/people/user.entity.js';
import { AuditService, type Actor } from './audit.service.js';
import { OperatorNotifier } from './mails/operator-notifier.js';
import { SessionsService } from './sessions/sessions.service.js';

/**
 * Ends everything that a departing user has open: pending sessions, links and invitations, so that none grants access
 * later. Roles are read with each request, so a session only ends with the account.
 */
@Injectable()
export class DeparturesService {
  constructor(
    private readonly links: UserLinkRepository,
    private readonly sessions: SessionsService,
    private readonly operators: OperatorNotifier,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** The account is closed: ends its sessions, links and invitations. */
  async ofUser(tx: EntityManager, actor: Actor, user: User): Promise<void> {
    const { id, email } = user;
    await this.sessions.endOthers(tx, id, null);
    await this.links.endResets(tx, email, this.clock.now());
    await this.withdraw(tx, actor, id, null);
    await this.operators.closed(tx, actor, user);
  }

  /** The user's role at the merchant was changed or removed. */
  fromRole(tx: EntityManager, actor: Actor, userId: string, merchantId: string): Promise<void> {
    return this.withdraw(tx, actor, userId, merchantId);
  }

  private async withdraw(
    tx: EntityManager,
    actor: Actor,
    userId: string,
    at: string | null,
  ): Promise<void> {
    for (const { id, merchantId, email } of await this.links.withdraw(tx, userId, at)) {
      const entry = { action: 'invitation.withdrawn', subject: id, merchantId, data: { email } };
      await this.audit.record(tx, actor, entry);
    }
  }
}
