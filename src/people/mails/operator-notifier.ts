import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { User } from '../../database/people/user.entity.js';
import { UserRepository } from '../../database/people/user.repository.js';
import type { Actor } from '../audit.service.js';
import { LATELY_MS } from './owner-notifier.js';
import { UserNotices } from './user-notices.js';

/** Writes to the operators when one of them cannot sign in any more: whoever is left may decide alone. */
@Injectable()
export class OperatorNotifier {
  constructor(
    private readonly users: UserRepository,
    private readonly notices: UserNotices,
    private readonly clock: Clock,
  ) {}

  /** In the transaction of the change; also to whom it concerns, and to those who were closed of late. */
  async closed(tx: EntityManager, { session, address }: Actor, user: User): Promise<void> {
    if (user.platformRole !== 'operator') return;
    const lately = new Date(this.clock.now().getTime() - LATELY_MS);
    const operators = await this.users.operatorsSince(tx, lately);
    const by = operators.find(({ id }) => id === session?.userId)?.name ?? `The ${address}`;
    const data = { closed: user.name, by };
    const ids = operators.map(({ id }) => id);
    await this.notices.notify(tx, ids, { kind: 'operator-closed', merchantId: null, data });
  }
}
