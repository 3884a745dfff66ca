import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
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

/** Milliseconds of every answer: longer than the work for an address that is known. */
export const ANSWER_MS = 300;

const overdue = (): Refusal =>
  new Refusal(404, 'This link no longer works', 'It works once, for an hour. Ask for a new one.');

/** A new password for somebody who forgot the old one, by a link in a mail. */
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
   * Takes as long whether or not somebody has the address, and tells nobody.
   * @throws Refusal 429
   */
  async ask(context: PortalContext, typed: string): Promise<void> {
    const asking = await this.attemptLimits.ofNetwork(context);
    const email = mailAddress(typed.trim());
    await asking.spend(() =>
      Promise.all([email ? this.send(context, email) : undefined, sleep(ANSWER_MS)]),
    );
  }

  /** @throws Refusal 404 for a link that does not work */
  async find(token: string): Promise<OpenReset> {
    const hash = isSessionToken(token) ? tokenHash(token) : null;
    const reset = hash && (await this.links.openReset(hash, this.clock.now()));
    if (!reset) throw overdue();
    return reset;
  }

  /**
   * The link stays good while the password is not.
   * @throws Refusal 404 for a link that does not work
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
    const passwordHash = await this.passwords.run({ known: reset.id }, () => hashPassword(fresh));
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

  /** Over the limit nothing is sent, and nothing is said. */
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
