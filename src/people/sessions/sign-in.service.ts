import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Database } from '../../database/database.js';
import type { LiveSession } from '../../database/people/user-session.repository.js';
import type { User } from '../../database/people/user.entity.js';
import { UserRepository } from '../../database/people/user.repository.js';
import { mailAddress } from '../../notifications/mail/mail-address.js';
import { AuditService } from '../audit.service.js';
import { AccountNotifier } from '../mails/account-notifier.js';
import { AttemptLimitsService } from '../passwords/attempt-limits.service.js';
import { PasswordWork } from '../passwords/password-work.js';
import { isPassword } from '../passwords/password.js';
import type { SignedInContext, PortalContext } from '../portal-context.js';
import { GuessesService } from '../second-factor/guesses.service.js';
import { TotpService } from '../second-factor/totp.service.js';
import { deviceOf, newDevice } from './device.js';
import { type KnownBrowser, SessionsService } from './sessions.service.js';

/** A user with the right password, and the token of the new session. */
export interface SignedIn {
  readonly token: string;
  readonly needsCode: boolean;
  /** Cookie of the known browser; null while a code is required. */
  readonly device: string | null;
}

/** Sign-in by password, then by code if two-factor authentication is set up. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly notifier: AccountNotifier,
    private readonly audit: AuditService,
    private readonly attemptLimits: AttemptLimitsService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Same response and duration for unknown users and wrong passwords.
   * @returns null if they do not match
   * @throws Refusal 429
   */
  async signIn(
    context: PortalContext,
    form: URLSearchParams,
    browser: KnownBrowser,
  ): Promise<SignedIn | null> {
    const typed = (form.get('email') ?? '').trim();
    const email = mailAddress(typed);
    const user = email ? await this.users.findByEmail(email) : null;
    const device = user && deviceOf(context.device, user);
    const attempt = await this.attemptLimits.signIn(context, email ?? typed.toLowerCase(), device);
    const hash = user && !user.disabledAt ? user.passwordHash : null;
    const { address } = context;
    const asker = { address, known: device && user ? user.id : undefined };
    const token = await attempt.spend(async () => {
      const password = form.get('password') ?? '';
      const isRight = await this.passwords.run(asker, () => isPassword(password, hash));
      return isRight && user ? this.sessions.begin(user, browser, null) : null;
    });
    if (!token || !user) return this.refused(context, user);
    const needsCode = user.totpConfirmedAt !== null;
    // In unknown browsers a sign-in without its code counts as an attempt, which limits a stolen password.
    if (device || !needsCode) await attempt.giveBack();
    if (needsCode) return { token, needsCode, device: null };
    await this.welcome(context, user.id, device === null ? browser : null);
    return { token, needsCode, device: newDevice(user) };
  }

  /**
   * @returns a new full session; null for a wrong code
   * @throws Refusal 429; 403 after too many wrong codes
   */
  async giveCode(
    context: SignedInContext,
    code: string,
    browser: KnownBrowser,
  ): Promise<SignedIn | null> {
    const { session } = context;
    const user = await this.users.find(session.userId);
    if (!user) return null;
    const device = deviceOf(context.device, user);
    const take = (): Promise<boolean> => this.totp.take(session.userId, code);
    if (!(await this.guesses.atSignIn(context, device, take))) return null;
    if (!(await this.sessions.end(session))) return null;
    const token = await this.sessions.begin(user, browser, this.clock.now());
    if (!token) return null;
    await this.welcome(context, user.id, device === null ? browser : null);
    return { token, needsCode: false, device: newDevice(user) };
  }

  async signOut(session: LiveSession): Promise<void> {
    await this.sessions.end(session);
  }

  private async refused(context: PortalContext, user: User | null): Promise<null> {
    await this.guesses.refused(context, user);
    return null;
  }

  /**
   * Starts a new session after the previous one was ended.
   * @param unknown the browser, if the account does not know it
   */
  private welcome(
    context: PortalContext,
    userId: string,
    unknown: KnownBrowser | null,
  ): Promise<void> {
    const before = { ...context, session: null };
    return this.database.transaction(async (tx) => {
      await this.audit.record(tx, before, { action: 'sign-in', userId });
      if (unknown) await this.notifier.signedIn(tx, userId, unknown);
    });
  }
}
