import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { textProblem } from '../common/text.js';
import { Database } from '../database/database.js';
import { MembershipRepository } from '../database/people/membership.repository.js';
import {
  type OpenInvitation,
  UserLinkRepository,
} from '../database/people/user-link.repository.js';
import type { User } from '../database/people/user.entity.js';
import { UserRepository } from '../database/people/user.repository.js';
import { AuditService } from './audit.service.js';
import { passwordProblem } from './passwords/password-rules.js';
import { PasswordWork } from './passwords/password-work.js';
import type { SignedInContext, PortalContext } from './portal-context.js';
import { Refusal } from './refusal.js';
import type { SecurityProblems } from './security.service.js';
import { isSessionToken, tokenHash } from './sessions/session-token.js';
import { UsersService } from './users.service.js';

export const USER_NAME_MAX = 140;

/** Visitor of an invitation link. */
export type Invited =
  /** No account has the address. */
  | 'new'
  /** Signed in with the address. */
  | 'member'
  /** The address has an account, but the visitor is not signed in. */
  | 'signed-out'
  /** Another user is signed in in this browser. */
  | 'other-user';

const overdue = (): Refusal =>
  new Refusal(
    404,
    'This invitation no longer works',
    'It works once, for seven days. Ask who invited you for a new one.',
  );

const worksForPlatform = (): Refusal =>
  new Refusal(
    409,
    'This address works for the platform',
    'Platform staff cannot belong to a merchant. Ask to be invited with another address.',
  );

const notYours = (): Refusal =>
  new Refusal(403, 'This invitation is for another address', 'Nothing was changed.');

export interface Registered {
  readonly user: User;
  readonly invitation: OpenInvitation;
}

type Typed = Readonly<Record<'name' | 'fresh' | 'again', string>>;

/** Accepts and registers invitations. The invitation's address decides, never the form. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly links: UserLinkRepository,
    private readonly memberships: MembershipRepository,
    private readonly userRows: UserRepository,
    private readonly users: UsersService,
    private readonly passwords: PasswordWork,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 404 for an invalid link; 409 for platform staff */
  async find(token: string): Promise<OpenInvitation> {
    const hash = isSessionToken(token) ? tokenHash(token) : null;
    const invitation = hash && (await this.links.openInvitation(hash, this.clock.now()));
    if (!invitation || invitation.isDisabled) throw overdue();
    if (invitation.isStaff) throw worksForPlatform();
    return invitation;
  }

  whoIs({ session }: PortalContext, { email, userId }: OpenInvitation): Invited {
    if (session) return session.email === email ? 'member' : 'other-user';
    return userId === null ? 'new' : 'signed-out';
  }

  /** Adds a user with an account to the merchant. @throws Refusal 403, 404 */
  async accept(context: SignedInContext, token: string): Promise<OpenInvitation> {
    const invitation = await this.find(token);
    if (this.whoIs(context, invitation) !== 'member') throw notYours();
    await this.database.transaction((tx) =>
      this.join(tx, context, token, invitation, context.session.userId),
    );
    return invitation;
  }

  /**
   * Creates an account with a name and a password.
   * @returns the new user, or the errors of the form
   * @throws Refusal 403, 404
   */
  async register(
    context: PortalContext,
    token: string,
    { name: typed, fresh, again }: Typed,
  ): Promise<Registered | SecurityProblems<keyof Typed>> {
    const invitation = await this.find(token);
    if (this.whoIs(context, invitation) !== 'new') throw notYours();
    const { email } = invitation;
    const name = typed.trim();
    if (textProblem(name, { min: 1, max: USER_NAME_MAX, name: true })) {
      return { name: 'Enter your name. Use no invisible characters.' };
    }
    const problem = passwordProblem(fresh, { email, name });
    if (problem) return { fresh: problem };
    if (fresh !== again) return { again: 'The two passwords differ.' };
    const asker = { address: context.address, known: invitation.id };
    const user = await this.passwords.run(asker, () =>
      this.users.prepare({ email, name, password: fresh }),
    );
    await this.database.transaction(async (tx) => {
      await this.use(tx, invitation, token);
      if (!(await this.userRows.insertNew(tx, user))) throw overdue();
      await this.joinAs(tx, context, invitation, user.id);
    });
    return { user, invitation };
  }

  private async join(
    tx: EntityManager,
    context: PortalContext,
    token: string,
    invitation: OpenInvitation,
    userId: string,
  ): Promise<void> {
    await this.use(tx, invitation, token);
    await this.joinAs(tx, context, invitation, userId);
  }

  private async use(tx: EntityManager, { id }: OpenInvitation, token: string): Promise<void> {
    if (!(await this.links.use(tx, id, tokenHash(token), this.clock.now()))) throw overdue();
  }

  private async joinAs(
    tx: EntityManager,
    context: PortalContext,
    { id, merchantId, role }: OpenInvitation,
    userId: string,
  ): Promise<void> {
    const createdAt = this.clock.now();
    await this.memberships.joinAnew(tx, { merchantId, userId, role, createdAt });
    const entry = {
      action: 'invitation.accepted',
      subject: id,
      data: { role },
      merchantId,
      userId,
    };
    await this.audit.record(tx, context, entry);
  }
}
