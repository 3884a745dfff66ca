import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { MembershipRepository } from '../../database/repositories/membership.repository.js';
import type { PlacedVisit } from '../visit.js';
import { UserNotices } from './user-notices.js';

/** Milliseconds for which somebody still hears of what happens to the merchant he owned. */
export const LATELY_MS = 7 * 24 * 3_600_000;

const SENTENCES = {
  invited: '{who} invited {whom} as an owner of {merchant}.',
  made: '{who} made {whom} an owner of {merchant}.',
  lowered: '{who} took the role of an owner of {merchant} from {whom}.',
  removed: '{who} removed {whom} from the owners of {merchant}.',
  disabled: '{who} closed the account of {whom}, an owner of {merchant}.',
  enabled: '{who} opened the account of {whom}, an owner of {merchant}, again.',
} as const;

interface Whom {
  readonly email: string;
}

interface Change {
  readonly who: string;
  readonly whom: string;
  readonly what: keyof typeof SENTENCES;
}

/**
 * Writes to all owners of a merchant when one comes or goes; also to those who lately were, and who
 * cannot sign in.
 */
@Injectable()
export class OwnerNews {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly notices: UserNotices,
    private readonly clock: Clock,
  ) {}

  /** After the change, in its transaction. */
  async tell(
    tx: EntityManager,
    { session, place: { merchantId } }: PlacedVisit,
    what: keyof typeof SENTENCES,
    whom: Whom,
  ): Promise<void> {
    await this.tellOf(tx, merchantId, { who: session.email, whom: whom.email, what });
  }

  /** The same to all merchants of an owner, whose account the platform closed or opened. */
  async tellAll(
    tx: EntityManager,
    who: string,
    what: 'disabled' | 'enabled',
    whom: Whom & { readonly id: string },
  ): Promise<void> {
    const change = { who, whom: whom.email, what };
    for (const merchantId of await this.memberships.ownedSince(tx, whom.id, this.lately())) {
      await this.tellOf(tx, merchantId, change);
    }
  }

  private async tellOf(tx: EntityManager, merchantId: string, change: Change): Promise<void> {
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    const { who, whom, what } = change;
    const data = { who, whom, text: SENTENCES[what] };
    await this.notices.tell(tx, owners, { kind: 'owners-changed', merchantId, data });
  }

  private lately(): Date {
    return new Date(this.clock.now().getTime() - LATELY_MS);
  }
}
