import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import type { User } from '../../database/people/user.entity.js';
import { UserRepository } from '../../database/people/user.repository.js';
import type { Actor } from '../audit.service.js';
import { RECENTLY_CLOSED_MS } from './owner-notifier.js';
import { UserNotices } from './user-notices.js';

/** Fixed texts: the names of the people are in rows of their own. */
const SENTENCES = {
  made: 'There is a new operator.',
  reopened:
    'The account of an operator was opened again, with a new password and without two-factor authentication.',
  forgotten: 'Two-factor authentication of an operator was turned off.',
} as const;

/**
 * Notifies the operators when one of them is closed, since a single remaining operator may decide alone, and when an
 * account becomes usable as an operator's, since it can be the second person.
 */
@Injectable()
export class OperatorNotifier {
  constructor(
    private readonly users: UserRepository,
    private readonly notices: UserNotices,
    private readonly clock: Clock,
  ) {}

  /** Runs in the transaction of the change; also notifies the closed operator and those closed recently. */
  async closed(tx: EntityManager, { session, address }: Actor, user: User): Promise<void> {
    if (user.platformRole !== 'operator') return;
    const operators = await this.operators(tx);
    const by = operators.find(({ id }) => id === session?.userId)?.name ?? `The ${address}`;
    const data = { closed: user.name, by };
    const ids = operators.map(({ id }) => id);
    await this.notices.notify(tx, ids, { kind: 'operator-closed', merchantId: null, data });
  }

  /** Runs in the transaction of the change, after it. Only commands give access to operators' accounts. */
  async gained(
    tx: EntityManager,
    { address }: Actor,
    user: User,
    what: keyof typeof SENTENCES,
  ): Promise<void> {
    if (user.platformRole !== 'operator') return;
    const data = { text: SENTENCES[what], operator: user.name, by: `The ${address}` };
    const ids = (await this.operators(tx)).map(({ id }) => id);
    await this.notices.notify(tx, ids, { kind: 'operator-access', merchantId: null, data });
  }

  /** Current operators, and recently closed ones: closing an account first does not suppress its notice. */
  private operators(tx: EntityManager): Promise<Pick<User, 'id' | 'name'>[]> {
    return this.users.operatorsSince(tx, new Date(this.clock.now().getTime() - RECENTLY_CLOSED_MS));
  }
}
