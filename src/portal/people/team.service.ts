import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import { MERCHANT_ROLES, type MerchantRole } from '../../database/entities/membership.entity.js';
import {
  type Member,
  MembershipRepository,
} from '../../database/repositories/membership.repository.js';
import {
  type Invitation,
  UserLinkRepository,
} from '../../database/repositories/user-link.repository.js';
import { mailAddress } from '../../notifications/mail/mail-address.js';
import { notFound, Refusal } from '../refusal.js';
import type { PlacedVisit } from '../visit.js';
import { AuditService } from './audit.service.js';
import { DeparturesService } from './departures.service.js';
import { FreshFactor } from './fresh-factor.js';
import { LinkMails } from './link-mails.js';
import { freshToken, newLink } from './link-token.js';
import { OwnerNews } from './owner-news.js';
import type { Problems } from './security.service.js';
import { type Try, TriesService } from './tries.service.js';

/** Milliseconds between two mails of the same invitation. */
export const AGAIN_MS = 5 * 60_000;

export interface Team {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

const notPossible = (): Refusal =>
  new Refusal(
    409,
    'This could not be changed',
    'Every merchant needs an owner who can sign in. Or somebody else has changed the team meanwhile: load the page again.',
  );

const tooManyMails = (): Refusal =>
  new Refusal(429, 'Too many invitations', 'Wait an hour, then invite more people.');

/** People and open invitations of a merchant: one page shows them all. */
export const TEAM_MAX = 200;
const FULL = `A team has at most ${TEAM_MAX} people and open invitations.`;
const INVITED = 'This person is invited already. You can send the mail again.';

/** A role out of a form; nothing else than what a merchant's people can have. */
export const merchantRole = (text: string | null): MerchantRole | undefined =>
  MERCHANT_ROLES.find((role) => role === text);

/** Who belongs to a merchant, and who is invited. It is one team for test and live mode. */
@Injectable()
export class TeamService {
  constructor(
    private readonly database: Database,
    private readonly memberships: MembershipRepository,
    private readonly links: UserLinkRepository,
    private readonly mails: LinkMails,
    private readonly tries: TriesService,
    private readonly factor: FreshFactor,
    private readonly owners: OwnerNews,
    private readonly departures: DeparturesService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  async of({ place: { merchantId } }: PlacedVisit): Promise<Team> {
    const members = await this.memberships.list(merchantId);
    const invitations = await this.links.pending(merchantId);
    return { members, invitations };
  }

  /** @throws CodeOwed; Refusal 404, 429, and 409 where nobody would be left who may do this */
  async changeRole(
    visit: PlacedVisit,
    userId: string,
    role: MerchantRole,
    form: URLSearchParams,
  ): Promise<void> {
    const { merchantId } = visit.place;
    const member = await this.member(visit, userId);
    if (member.role === role) return;
    await this.factor.demand(visit, form);
    await this.database.transaction(async (tx) => {
      const doer = visit.session.userId;
      const place = { merchantId, userId, role: member.role };
      if (!(await this.memberships.changeRole(tx, place, role, doer))) throw notPossible();
      const data = { email: member.email, from: member.role, to: role };
      await this.audit.record(tx, visit, { action: 'member.role-changed', subject: userId, data });
      if (member.role === 'owner') await this.owners.tell(tx, visit, 'lowered', member);
      else await this.owners.tell(tx, visit, 'made', { role });
      await this.departures.fromRole(tx, visit, userId, merchantId);
    });
    await this.owners.ring();
  }

  /** @throws Refusal 404, and 409 where nobody would be left who may do this; CodeOwed for owners */
  async remove(visit: PlacedVisit, userId: string, form: URLSearchParams): Promise<void> {
    const member = await this.member(visit, userId);
    if (member.role === 'owner') await this.factor.demand(visit, form);
    await this.database.transaction(async (tx) => {
      const place = { merchantId: visit.place.merchantId, userId, role: member.role };
      if (!(await this.memberships.remove(tx, place, visit.session.userId))) throw notPossible();
      const data = { email: member.email, role: member.role };
      await this.audit.record(tx, visit, { action: 'member.removed', subject: userId, data });
      if (member.role === 'owner') await this.owners.tell(tx, visit, 'removed', member);
      await this.departures.fromRole(tx, visit, userId, place.merchantId);
    });
    await this.owners.ring();
  }

  /** @throws CodeOwed; Refusal 429 */
  async invite(
    visit: PlacedVisit,
    form: URLSearchParams,
  ): Promise<Problems<'email' | 'role'> | null> {
    const email = mailAddress((form.get('email') ?? '').trim());
    const role = merchantRole(form.get('role'));
    if (!email) return { email: 'This is not an e-mail address.' };
    if (!role) return { role: 'Choose a role.' };
    const problem = await this.alreadyThere(visit, email);
    if (problem) return { email: problem };
    await this.factor.demand(visit, form);
    const mail = await this.limit(visit, email);
    const { merchantId } = visit.place;
    const createdBy = visit.session.userId;
    const link = newLink(
      { kind: 'invitation', email, merchantId, role, createdBy },
      this.clock.now(),
    );
    const isNew = await mail.spend(() =>
      this.database.transaction(async (tx) => {
        if (!(await this.links.insert(tx, link))) return false;
        await this.record(tx, visit, 'invitation.sent', link.id, { email, role });
        await this.owners.tell(tx, visit, 'invited', { role });
        return true;
      }),
    );
    if (!isNew) return { email: INVITED };
    await this.mails.ring();
    await this.owners.ring();
    return null;
  }

  /** A new link for another seven days; the old one is worth nothing. @throws as `invite`; Refusal 404, 409 */
  async sendAgain(visit: PlacedVisit, id: string, form: URLSearchParams): Promise<void> {
    if (!isUuid(id)) throw notFound();
    const { invitations } = await this.of(visit);
    const invitation = invitations.find((each) => each.id === id);
    if (!invitation) throw tooSoon();
    await this.factor.demand(visit, form);
    const mail = await this.limit(visit, invitation.email);
    const now = this.clock.now();
    await mail.spend(() =>
      this.database.transaction(async (tx) => {
        const notAfter = new Date(now.getTime() - AGAIN_MS);
        const fresh = freshToken('invitation', now);
        const email = await this.links.renew(tx, id, visit.place.merchantId, fresh, notAfter);
        if (!email) throw tooSoon();
        await this.record(tx, visit, 'invitation.sent-again', id, { email });
        await this.owners.tell(tx, visit, 'invited', invitation);
      }),
    );
    await this.mails.ring();
    await this.owners.ring();
  }

  /** @throws Refusal 404 for an invitation that is not there any more */
  async revoke(visit: PlacedVisit, id: string): Promise<void> {
    if (!isUuid(id)) throw notFound();
    await this.database.transaction(async (tx) => {
      const email = await this.links.revoke(tx, id, visit.place.merchantId);
      if (!email) throw notFound();
      await this.record(tx, visit, 'invitation.revoked', id, { email });
    });
  }

  private record(
    tx: EntityManager,
    visit: PlacedVisit,
    action: string,
    subject: string,
    data: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(tx, visit, { action, subject, data });
  }

  private async member({ place }: PlacedVisit, userId: string): Promise<Member> {
    const members = await this.memberships.list(place.merchantId);
    const member = members.find((each) => each.userId === userId);
    if (!member) throw notFound();
    return member;
  }

  private async alreadyThere(visit: PlacedVisit, email: string): Promise<string | undefined> {
    const { members, invitations } = await this.of(visit);
    if (members.length + invitations.length >= TEAM_MAX) return FULL;
    if (members.some((member) => member.email === email)) return 'This person is in the team.';
    return invitations.some((invitation) => invitation.email === email) ? INVITED : undefined;
  }

  /** Mails go to whomever an owner names: a merchant cannot send many, least of all to one address. */
  private async limit({ place: { merchantId } }: PlacedVisit, email: string): Promise<Try> {
    const mail = await this.tries.may(
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
