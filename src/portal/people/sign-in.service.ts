import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import type { User } from '../../database/entities/user.entity.js';
import type { LiveSession } from '../../database/repositories/user-session.repository.js';
import { UserRepository } from '../../database/repositories/user.repository.js';
import { mailAddress } from '../../notifications/mail/mail-address.js';
import type { SignedVisit, Visit } from '../visit.js';
import { AccountNews } from './account-news.js';
import { AuditService } from './audit.service.js';
import { deviceOf, newDevice } from './device.js';
import { GuessesService } from './guesses.service.js';
import { isPassword } from './password.js';
import { PasswordWork } from './password-work.js';
import { type Browser, SessionsService } from './sessions.service.js';
import { TotpService } from './totp.service.js';
import { TriesService } from './tries.service.js';

/** Somebody who typed the right password, and the token of the new session. */
export interface SignedIn {
  readonly token: string;
  readonly owesCode: boolean;
  /** By what the browser is known from now on; null while a code is owed. */
  readonly device: string | null;
}

/** Password first, then a code where the user has set one up. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly news: AccountNews,
    private readonly audit: AuditService,
    private readonly tries: TriesService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Answers alike, and takes as long, for an unknown user and for a wrong password.
   * @returns null when they do not match
   * @throws Refusal 429
   */
  async signIn(visit: Visit, form: URLSearchParams, browser: Browser): Promise<SignedIn | null> {
    const typed = (form.get('email') ?? '').trim();
    const email = mailAddress(typed);
    const user = email ? await this.users.findByEmail(email) : null;
    const device = user && deviceOf(visit.device, user);
    const attempt = await this.tries.signIn(visit, email ?? typed.toLowerCase(), device);
    const hash = user && !user.disabledAt ? user.passwordHash : null;
    const asker = device && user ? { known: user.id } : { address: visit.address };
    const token = await attempt.spend(async () => {
      const password = form.get('password') ?? '';
      const isRight = await this.passwords.run(asker, () => isPassword(password, hash));
      return isRight && user ? this.sessions.begin(user, browser, null) : null;
    });
    if (!token || !user) return this.refused(visit, user);
    const owesCode = user.totpConfirmedAt !== null;
    // Half a sign-in counts where the browser is not known: else a stolen password makes any number.
    if (device || !owesCode) await attempt.giveBack();
    if (owesCode) return { token, owesCode, device: null };
    await this.welcome(visit, user.id, device === null ? browser : null);
    return { token, owesCode, device: newDevice(user) };
  }

  /**
   * @returns a new session, in which no code is owed; null for a wrong code
   * @throws Refusal 429; 403 when it was wrong too often
   */
  async giveCode(visit: SignedVisit, code: string, browser: Browser): Promise<SignedIn | null> {
    const { session } = visit;
    const user = await this.users.find(session.userId);
    if (!user) return null;
    const device = deviceOf(visit.device, user);
    const take = (): Promise<boolean> => this.totp.take(session.userId, code);
    if (!(await this.guesses.atSignIn(visit, device, take))) return null;
    if (!(await this.sessions.end(session))) return null;
    const token = await this.sessions.begin(user, browser, this.clock.now());
    if (!token) return null;
    await this.welcome(visit, user.id, device === null ? browser : null);
    return { token, owesCode: false, device: newDevice(user) };
  }

  async signOut(session: LiveSession): Promise<void> {
    await this.sessions.end(session);
  }

  private async refused(visit: Visit, user: User | null): Promise<null> {
    await this.guesses.refused(visit, user);
    return null;
  }

  /**
   * The session of the visit has ended by now: another one begins.
   * @param unknown the browser, where the account does not know it
   */
  private welcome(visit: Visit, userId: string, unknown: Browser | null): Promise<void> {
    const before = { ...visit, session: null };
    return this.database.transaction(async (tx) => {
      await this.audit.record(tx, before, { action: 'sign-in', userId });
      if (unknown) await this.news.signedIn(tx, userId, unknown);
    });
  }
}
