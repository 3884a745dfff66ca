import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { Database } from '../database/database.js';
import { MERCHANT_ROLES, type MerchantRole } from '../database/people/membership.entity.js';
import { type Member, MembershipRepository } from '../database/people/membership.repository.js';
import { type Invitation, UserLinkRepository } from '../database/people/user-link.repository.js';
import { mailAddress } from '../notifications/mail/mail-address.js';
import { AuditService } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { LinkMailer } from './mails/link-mailer.js';
import { freshToken, newLink } from './mails/link-token.js';
import { OwnerNotifier } from './mails/owner-notifier.js';
import { type LimitedAttempt, AttemptLimitsService } from './passwords/attempt-limits.service.js';
import type { MerchantContext } from './portal-context.js';
import { notFound, Refusal } from './refusal.js';
import { FreshFactor } from './second-factor/fresh-factor.js';
import type { SecurityProblems } from './security.service.js';

/** Milliseconds between two mails of one invitation. */
export const AGAIN_MS = 5 * 60_000;

export interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

const notPossible = (): Refusal =>
  new Refusal(
    409,
    'This could not be changed',
    'Every merchant needs an owner who can sign in. Or the team was changed meanwhile: load the page again.',
  );

const tooManyMails = (): Refusal =>
  new Refusal(429, 'Too many invitations', 'Wait an hour, then invite more people.');

/** Maximum users and open invitations of a merchant, shown on one page. */
export const TEAM_MAX = 200;
const FULL = `A team has at most ${TEAM_MAX} people and open invitations.`;
const INVITED = 'This person is invited already. You can send the mail again.';

/** Valid role of a merchant's user from a form. */
export const merchantRole = (text: string | null): MerchantRole | undefined =>
  MERCHANT_ROLES.find((role) => role === text);

/** Members and invitations of a merchant, for both modes. */
@Injectable()
export class TeamService {
  constructor(
    private readonly database: Database,
    private readonly memberships: MembershipRepository,
    private readonly links: UserLinkRepository,
    private readonly mails: LinkMailer,
    private readonly attemptLimits: AttemptLimitsService,
    private readonly factor: FreshFactor,
    private readonly owners: OwnerNotifier,
    private readonly departures: DeparturesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async of({ access: { merchantId } }: MerchantContext): Promise<Team> {
    const members = await this.memberships.list(merchantId);
    const invitations = await this.links.pending(merchantId);
    return { members, invitations };
  }

  /** @throws SecondFactorRequired; Refusal 404, 429, and 409 if no owner would be left */
  async changeRole(
    context: MerchantContext,
    userId: string,
    role: MerchantRole,
    form: URLSearchParams,
  ): Promise<void> {
    const { merchantId } = context.access;
    const member = await this.member(context, userId);
    if (member.role === role) return;
    await this.factor.demand(context, form);
    await this.database.transaction(async (tx) => {
      const actor = context.session.userId;
      const access = { merchantId, userId, role: member.role };
      if (!(await this.memberships.changeRole(tx, access, role, actor))) throw notPossible();
      const data = { email: member.email, from: member.role, to: role };
      await this.audit.record(tx, context, {
        action: 'member.role-changed',
        subject: userId,
        data,
      });
      if (member.role === 'owner') await this.owners.notify(tx, context, 'lowered', member);
      else await this.owners.notify(tx, context, 'made', { role });
      await this.departures.fromRole(tx, context, userId, merchantId);
    });
    await this.owners.wake();
  }

  /** @throws Refusal 404, and 409 if no owner would be left; SecondFactorRequired for owners */
  async remove(context: MerchantContext, userId: string, form: URLSearchParams): Promise<void> {
    const member = await this.member(context, userId);
    if (member.role === 'owner') await this.factor.demand(context, form);
    await this.database.transaction(async (tx) => {
      const access = { merchantId: context.access.merchantId, userId, role: member.role };
      if (!(await this.memberships.remove(tx, access, context.session.userId))) throw notPossible();
      const data = { email: member.email, role: member.role };
      await this.audit.record(tx, context, { action: 'member.removed', subject: userId, data });
      if (member.role === 'owner') await this.owners.notify(tx, context, 'removed', member);
      await this.departures.fromRole(tx, context, userId, access.merchantId);
    });
    await this.owners.wake();
  }

  /** @throws SecondFactorRequired; Refusal 409 if the user is no longer an owner, 429 */
  async invite(
    context: MerchantContext,
    form: URLSearchParams,
  ): Promise<SecurityProblems<'email' | 'role'> | null> {
    const email = mailAddress((form.get('email') ?? '').trim());
    const role = merchantRole(form.get('role'));
    if (!email) return { email: 'This is not an e-mail address.' };
    if (!role) return { role: 'Choose a role.' };
    const problem = await this.alreadyThere(context, email);
    if (problem) return { email: problem };
    await this.factor.demand(context, form);
    const mail = await this.limit(context, email);
    const { merchantId } = context.access;
    const createdBy = context.session.userId;
    const link = newLink(
      { kind: 'invitation', email, merchantId, role, createdBy },
      this.clock.now(),
    );
    const isNew = await mail.spend(() =>
      this.database.transaction(async (tx) => {
        await this.holdOwner(tx, context);
        if (!(await this.links.insert(tx, link))) return false;
        await this.record(tx, context, 'invitation.sent', link.id, { email, role });
        await this.owners.notify(tx, context, 'invited', { role });
        return true;
      }),
    );
    if (!isNew) return { email: INVITED };
    await this.mails.wake();
    await this.owners.wake();
    return null;
  }

  /** Sends a new link for another seven days and invalidates the old one. @throws as `invite`; Refusal 404, 409 */
  async sendAgain(context: MerchantContext, id: string, form: URLSearchParams): Promise<void> {
    const { invitations } = await this.of(context);
    const invitation = invitations.find((each) => each.id === id);
    if (!invitation) throw tooSoon();
    await this.factor.demand(context, form);
    const mail = await this.limit(context, invitation.email);
    const now = this.clock.now();
    await mail.spend(() =>
      this.database.transaction(async (tx) => {
        await this.holdOwner(tx, context);
        const notAfter = new Date(now.getTime() - AGAIN_MS);
        const fresh = freshToken('invitation', now);
        const email = await this.links.renew(tx, id, context.access.merchantId, fresh, notAfter);
        if (!email) throw tooSoon();
        await this.record(tx, context, 'invitation.sent-again', id, { email });
        await this.owners.notify(tx, context, 'invited', invitation);
      }),
    );
    await this.mails.wake();
    await this.owners.wake();
  }

  /** @throws Refusal 404 if the invitation does not exist any more */
  async revoke(context: MerchantContext, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const email = await this.links.revoke(tx, id, context.access.merchantId);
      if (!email) throw notFound();
      await this.record(tx, context, 'invitation.revoked', id, { email });
    });
  }

  /** Otherwise an invitation could outlive its sender's removal, which ends only the sender's earlier ones. */
  private async holdOwner(tx: EntityManager, { access, session }: MerchantContext): Promise<void> {
    if (!(await this.memberships.holdOwner(tx, access.merchantId, session.userId)))
      throw notPossible();
  }

  private record(
    tx: EntityManager,
    context: MerchantContext,
    action: string,
    subject: string,
    data: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(tx, context, { action, subject, data });
  }

  private async member({ access }: MerchantContext, userId: string): Promise<Member> {
    const members = await this.memberships.list(access.merchantId);
    const member = members.find((each) => each.userId === userId);
    if (!member) throw notFound();
    return member;
  }

  private async alreadyThere(context: MerchantContext, email: string): Promise<string | undefined> {
    const { members, invitations } = await this.of(context);
    if (members.length + invitations.length >= TEAM_MAX) return FULL;
    if (members.some((member) => member.email === email)) return 'This person is in the team.';
    return invitations.some((invitation) => invitation.email === email) ? INVITED : undefined;
  }

  /** Limits mails, since owners choose their recipients: per merchant, and more strictly per address. */
  private async limit(
    { access: { merchantId } }: MerchantContext,
    email: string,
  ): Promise<LimitedAttempt> {
    const mail = await this.attemptLimits.may(
      ['invitationsOfAddress', `${merchantId} ${email}`, 1],
      ['invitations', merchantId, 1],
    );
    if (!mail) throw tooManyMails();
    return mail;
  }
}

const tooSoon = (): Refusal =>
  new Refusal(
    409,
    'Nothing was sent',
    'The invitation was taken or revoked, or its last mail is less than five minutes old.',
  );
