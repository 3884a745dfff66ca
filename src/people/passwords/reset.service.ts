import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/time/clock.js';
import { Database } from '../../database/database.js';
import type { User } from '../../database/people/user.entity.js';
import { type OpenReset, UserLinkRepository } from '../../database/people/user-link.repository.js';
import { mailAddress } from '../../notifications/mail/mail-address.js';
import { AuditService } from '../audit.service.js';
import { AccountNotifier } from '../mails/account-notifier.js';
import { LinkMailer } from '../mails/link-mailer.js';
import { newLink } from '../mails/link-token.js';
import type { PortalContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';
import type { SecurityProblems } from '../security.service.js';
import { isSessionToken, tokenHash } from '../sessions/session-token.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { UsersService } from '../users.service.js';
import { AttemptLimitsService } from './attempt-limits.service.js';
import { passwordProblem } from './password-rules.js';
import { PasswordWork } from './password-work.js';
import { hashPassword } from './password.js';

/** Duration of every response in milliseconds: longer than the work for a known address. */
export const ANSWER_MS = 300;

const overdue = (): Refusal =>
  new Refusal(404, 'This link no longer works', 'It works once, for an hour. Ask for a new one.');

/** Password reset by mail. */
@Injectable()
export class ResetService {
  constructor(
    private readonly database: Database,
    private readonly links: UserLinkRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly passwords: PasswordWork,
    private readonly mails: LinkMailer,
    private readonly attemptLimits: AttemptLimitsService,
    private readonly notifier: AccountNotifier,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Requests a reset. Response and duration do not reveal whether the address has an account.
   * @throws Refusal 429
   */
  async ask(context: PortalContext, typed: string): Promise<void> {
    const asking = await this.attemptLimits.ofNetwork(context);
    const email = mailAddress(typed.trim());
    await asking.spend(() =>
      Promise.all([email ? this.send(context, email) : undefined, sleep(ANSWER_MS)]),
    );
  }

  /** Sends a link to a user whose account has no known password. Call `wake` after the commit. */
  async invite(tx: EntityManager, { email }: Pick<User, 'email'>): Promise<void> {
    await this.links.insert(tx, newLink({ kind: 'reset', email }, this.clock.now()));
  }

  /** Call after the commit to send the mails within seconds. */
  wake(): Promise<void> {
    return this.mails.wake();
  }

  /** @throws Refusal 404 for an invalid link */
  async find(token: string): Promise<OpenReset> {
    const hash = isSessionToken(token) ? tokenHash(token) : null;
    const reset = hash && (await this.links.openReset(hash, this.clock.now()));
    if (!reset) throw overdue();
    return reset;
  }

  /**
   * Sets the password. The link stays valid while the new password is rejected.
   * @throws Refusal 404 for an invalid link
   */
  async choose(
    context: PortalContext,
    token: string,
    { fresh, again }: { readonly fresh: string; readonly again: string },
  ): Promise<SecurityProblems<'fresh' | 'again'> | null> {
    const reset = await this.find(token);
    const problem = passwordProblem(fresh, reset);
    if (problem) return { fresh: problem };
    if (fresh !== again) return { again: 'The two passwords differ.' };
    const asker = { address: context.address, known: reset.id };
    const passwordHash = await this.passwords.run(asker, () => hashPassword(fresh));
    await this.database.transaction(async (tx) => {
      const now = this.clock.now();
      if (!(await this.links.use(tx, reset.id, tokenHash(token), now))) throw overdue();
      await this.links.endResets(tx, reset.email, now);
      await this.users.setPasswordHash(tx, reset.userId, passwordHash);
      await this.sessions.endOthers(tx, reset.userId, null);
      await this.audit.record(tx, context, { action: 'password.reset', userId: reset.userId });
      await this.notifier.changed(tx, reset.userId, 'password.reset', context.address);
    });
    return null;
  }

  /** Silently sends nothing above the limit. */
  private async send(context: PortalContext, email: string): Promise<void> {
    const user = await this.users.findByEmail(email);
    const mail = await this.attemptLimits.may(['resets', email, 1]);
    if (!mail || !user || user.disabledAt) return;
    await mail.spend(() =>
      this.database.transaction(async (tx) => {
        await this.links.insert(tx, newLink({ kind: 'reset', email }, this.clock.now()));
        await this.audit.record(tx, context, { action: 'password.reset-asked', userId: user.id });
      }),
    );
    await this.mails.wake();
  }
}
