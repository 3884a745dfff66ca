import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { MerchantRole } from '../../database/entities/membership.entity.js';
import { MembershipRepository } from '../../database/repositories/membership.repository.js';
import { ROLE_NAMES } from '../roles.js';
import type { PlacedVisit } from '../visit.js';
import { UserNotices } from './user-notices.js';

/** Milliseconds for which somebody still hears of what happens to the merchant he owned. */
export const LATELY_MS = 7 * 24 * 3_600_000;

const SENTENCES = {
  invited: '{who} invited {whom} to {merchant} with the role {role}.',
  made: '{who} gave {whom} the role {role} at {merchant}.',
  lowered: '{who} took the role of an owner of {merchant} from {whom}.',
  removed: '{who} removed {whom} from the owners of {merchant}.',
  disabled: '{who} closed the account of {whom}, an owner of {merchant}.',
  enabled: '{who} opened the account of {whom}, an owner of {merchant}, again.',
  forgotten: '{who} took the second step at the sign-in from {whom}, an owner of {merchant}.',
} as const;

interface Whom {
  readonly email: string;
  /** Which is given. */
  readonly role?: MerchantRole;
}

interface Change {
  readonly who: string;
  readonly whom: Whom;
  readonly what: keyof typeof SENTENCES;
}

/**
 * Writes to all owners of a merchant when an owner comes or goes, and when somebody gets a role that
 * sees payers or makes keys; also to those who lately were owners, and who cannot sign in.
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
    what: 'invited' | 'made' | 'lowered' | 'removed',
    whom: Whom,
  ): Promise<void> {
    await this.tellOf(tx, merchantId, { who: session.email, whom, what });
  }

  /** The same to all merchants of an owner, for whose account the platform did something. */
  async tellAll(
    tx: EntityManager,
    who: string,
    what: 'disabled' | 'enabled' | 'forgotten',
    whom: Whom & { readonly id: string },
  ): Promise<void> {
    const change = { who, whom: { email: whom.email }, what };
    for (const merchantId of await this.memberships.ownedSince(tx, whom.id, this.lately())) {
      await this.tellOf(tx, merchantId, change);
    }
  }

  /** The same for whoever does it. Of new viewers nobody is told: they see payers masked. */
  async tellOf(
    tx: EntityManager,
    merchantId: string,
    { who, whom: { email, role }, what }: Change,
  ): Promise<void> {
    if (role === 'viewer') return;
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    const given = role ? ROLE_NAMES[role].toLowerCase() : '';
    const data = { who, whom: email, role: given, text: SENTENCES[what] };
    await this.notices.tell(tx, owners, { kind: 'owners-changed', merchantId, data });
  }

  private lately(): Date {
    return new Date(this.clock.now().getTime() - LATELY_MS);
  }
}
