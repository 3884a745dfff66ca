import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { MerchantRole } from '../../database/people/membership.entity.js';
import { MembershipRepository } from '../../database/people/membership.repository.js';
import { plain } from '../../notifications/mail/mail.model.js';
import type { MerchantContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';
import { roleName } from '../roles.js';
import { UserNotices } from './user-notices.js';

/** Milliseconds for which somebody still hears of what happens to the merchant he owned. */
export const LATELY_MS = 7 * 24 * 3_600_000;

/** Mails about its team that the people of a merchant cause within 24 hours, in all. */
export const MAILS_MAX = 300;

/** Who, and the role that is given, are the service's own words. */
const SENTENCES = {
  invited: '{who} invited somebody with the role {role}.',
  made: '{who} gave somebody the role {role}.',
  lowered: '{who} took the role of an owner from somebody.',
  removed: '{who} removed somebody from the owners.',
  disabled: '{who} closed the account of an owner.',
  enabled: '{who} opened the account of an owner again.',
  forgotten: '{who} took the second step at the sign-in from an owner.',
} as const;

interface Whom {
  /** Which is given. */
  readonly role?: MerchantRole;
}

/** With an id a member from whom a role is taken; without one, somebody who is given a role. */
type Somebody = Whom & { readonly userId?: string };

interface Change {
  readonly who: 'An owner' | 'An operator';
  readonly whom: Whom;
  readonly what: keyof typeof SENTENCES;
}

const KIND = 'owners-changed';

/** Of new viewers nobody is told: they see payers masked. */
const needsNoNotice = ({ role }: Whom): boolean => role === 'viewer';

const tooManyMails = (): Refusal =>
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
export class OwnerNotifier {
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
  async notify(
    tx: EntityManager,
    { access: { merchantId } }: MerchantContext,
    what: 'invited' | 'made' | 'lowered' | 'removed',
    whom: Somebody,
  ): Promise<void> {
    if (needsNoNotice(whom)) return;
    const change = { who: 'An owner', whom, what } as const;
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    const sent = await this.notices.sentInADay(tx, { merchantId, kind: KIND });
    if (sent + owners.length <= MAILS_MAX) return this.write(tx, merchantId, owners, change);
    if (!whom.userId) throw tooManyMails();
    await this.write(tx, merchantId, [whom.userId], change);
  }

  /** The same to all merchants of an owner, for whose account the platform did something. */
  async notifyAll(
    tx: EntityManager,
    what: 'disabled' | 'enabled' | 'forgotten',
    whom: { readonly id: string },
  ): Promise<void> {
    for (const merchantId of await this.memberships.ownedSince(tx, whom.id, this.lately())) {
      await this.notifyOf(tx, merchantId, what);
    }
  }

  /** The same for an operator, whom no number of mails stops. */
  async notifyOf(
    tx: EntityManager,
    merchantId: string,
    what: Change['what'],
    whom: Whom = {},
  ): Promise<void> {
    if (needsNoNotice(whom)) return;
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    await this.write(tx, merchantId, owners, { who: 'An operator', whom, what });
  }

  /** After the commit: owners are told within seconds. */
  wake(): Promise<void> {
    return this.notices.wake();
  }

  private write(
    tx: EntityManager,
    merchantId: string,
    userIds: readonly string[],
    { who, whom: { role }, what }: Change,
  ): Promise<void> {
    const given = role ? roleName(role).toLowerCase() : '';
    const text = plain({ text: SENTENCES[what], values: { who, role: given } });
    return this.notices.notify(tx, userIds, { kind: KIND, merchantId, data: { text } });
  }

  private lately(): Date {
    return new Date(this.clock.now().getTime() - LATELY_MS);
  }
}
