import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import type { MerchantRole } from '../../database/people/membership.entity.js';
import { MembershipRepository } from '../../database/people/membership.repository.js';
import { plain } from '../../notifications/mail/mail.model.js';
import type { MerchantContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';
import { roleName } from '../roles.js';
import { UserNotices } from './user-notices.js';

/** Milliseconds for which former owners still receive notices. */
export const RECENTLY_CLOSED_MS = 7 * 24 * 3_600_000;

/** Maximum team notices per merchant and 24 hours. */
export const MAILS_MAX = 300;

/** Fixed texts: `who` and `role` are never names chosen by users. */
const SENTENCES = {
  invited: '{who} invited a person with the role {role}.',
  made: '{who} gave a person the role {role}.',
  lowered: '{who} took the owner role from an owner.',
  removed: '{who} removed an owner from the team.',
  disabled: '{who} closed the account of an owner.',
  enabled: '{who} reopened the account of an owner.',
  forgotten: '{who} turned off two-factor authentication for an owner.',
} as const;

interface Whom {
  /** The new role. */
  readonly role?: MerchantRole;
}

/** With an id: a member who loses a role; without: a person who receives one. */
type Subject = Whom & { readonly userId?: string };

interface Change {
  readonly who: 'An owner' | 'An operator';
  readonly whom: Whom;
  readonly what: keyof typeof SENTENCES;
}

const KIND = 'owners-changed';

/** New viewers need no notice: they see masked payers only. */
const needsNoNotice = ({ role }: Whom): boolean => role === 'viewer';

const tooManyMails = (): Refusal =>
  new Refusal(
    429,
    'The team changes too often',
    'Each change is a mail to every owner, and a day has room for no more of them. You can still remove people; go on with the rest tomorrow.',
  );

/**
 * Notifies all owners of a merchant when an owner is added or removed, and when a person gets a role that sees payers
 * or makes keys; also recent owners, and owners who cannot sign in.
 */
@Injectable()
export class OwnerNotifier {
  constructor(
    private readonly memberships: MembershipRepository,
    private readonly notices: UserNotices,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs in the transaction of the change, after it. Above the mail limit, granting a role is refused. Removing a role
   * never is, so that an intruder can always be removed: then only that user is notified.
   * @throws Refusal 429
   */
  async notify(
    tx: EntityManager,
    { access: { merchantId } }: MerchantContext,
    what: 'invited' | 'made' | 'lowered' | 'removed',
    whom: Subject,
  ): Promise<void> {
    if (needsNoNotice(whom)) return;
    const change = { who: 'An owner', whom, what } as const;
    const owners = await this.memberships.ownersSince(tx, merchantId, this.lately());
    const sent = await this.notices.sentInADay(tx, { merchantId, kind: KIND });
    if (sent + owners.length <= MAILS_MAX) return this.write(tx, merchantId, owners, change);
    if (!whom.userId) throw tooManyMails();
    await this.write(tx, merchantId, [whom.userId], change);
  }

  /** Notifies all merchants of an owner whose account the platform changed. */
  async notifyAll(
    tx: EntityManager,
    what: 'disabled' | 'enabled' | 'forgotten',
    whom: { readonly id: string },
  ): Promise<void> {
    for (const merchantId of await this.memberships.ownedSince(tx, whom.id, this.lately())) {
      await this.notifyOf(tx, merchantId, what);
    }
    // To open an account again is to give its roles again.
    if (what !== 'enabled') return;
    for (const { merchantId, role } of await this.memberships.ofUser(tx, whom.id)) {
      if (role !== 'owner') await this.notifyOf(tx, merchantId, 'made', { role });
    }
  }

  /** Notifies of a change by an operator; no mail limit applies. */
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

  /** Call after the commit to send the mails within seconds. */
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
    return new Date(this.clock.now().getTime() - RECENTLY_CLOSED_MS);
  }
}
