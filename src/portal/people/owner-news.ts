import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { MerchantRole } from '../../database/entities/membership.entity.js';
import { MembershipRepository } from '../../database/repositories/membership.repository.js';
import { Refusal } from '../refusal.js';
import { ROLE_NAMES } from '../roles.js';
import type { PlacedVisit } from '../visit.js';
import { UserNotices } from './user-notices.js';

/** Milliseconds for which somebody still hears of what happens to the merchant he owned. */
export const LATELY_MS = 7 * 24 * 3_600_000;

/** Mails about its team that the people of a merchant cause within 24 hours, in all. */
export const LETTERS_MAX = 300;

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

/** With an id a member from whom a role is taken; without one, somebody who is given a role. */
type Somebody = Whom & { readonly userId?: string };

interface Change {
  readonly who: string;
  readonly whom: Whom;
  readonly what: keyof typeof SENTENCES;
}

const KIND = 'owners-changed';

/** Of new viewers nobody is told: they see payers masked. */
const isNoNews = ({ role }: Whom): boolean => role === 'viewer';

const tooManyLetters = (): Refusal =>
  new Refusal(
    429,
    'The team changes too often',
    'Each change is a mail to every owner, and a day has room for no more of them. You can still remove people; go on with the rest tomorrow.',
  );

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

  /**
   * After the change, in its transaction. What gives a role is refused beyond the number of mails;
   * what takes one never is, so that nobody is kept from removing a thief: then only whom it concerns
   * is told.
   * @throws Refusal 429
   */
  async tell(
    tx: EntityManager,
    { session, place: { merchantId } }: PlacedVisit,
    what: 'invited' | 'made' | 'lowered' | 'removed',
    whom: Somebody,
  ): Promise<void> {
    if (isNoNews(whom)) return;
    const change = { who: session.email, whom, what };
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    const sent = await this.notices.sentInADay(tx, { merchantId, kind: KIND });
    if (sent + owners.length <= LETTERS_MAX) return this.write(tx, merchantId, owners, change);
    if (!whom.userId) throw tooManyLetters();
    await this.write(tx, merchantId, [whom.userId], change);
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

  /** The same for an operator, whom no number of mails stops. */
  async tellOf(tx: EntityManager, merchantId: string, change: Change): Promise<void> {
    if (isNoNews(change.whom)) return;
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    await this.write(tx, merchantId, owners, change);
  }

  /** After the commit: owners are told within seconds. */
  ring(): Promise<void> {
    return this.notices.ring();
  }

  private write(
    tx: EntityManager,
    merchantId: string,
    userIds: readonly string[],
    { who, whom: { email, role }, what }: Change,
  ): Promise<void> {
    const given = role ? ROLE_NAMES[role].toLowerCase() : '';
    const data = { who, whom: email, role: given, text: SENTENCES[what] };
    return this.notices.tell(tx, userIds, { kind: KIND, merchantId, data });
  }

  private lately(): Date {
    return new Date(this.clock.now().getTime() - LATELY_MS);
  }
}
