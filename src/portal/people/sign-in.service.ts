import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import type { User } from '../../database/entities/user.entity.js';
import type { LiveSession } from '../../database/repositories/user-session.repository.js';
import { UserRepository } from '../../database/repositories/user.repository.js';
import { mailAddress } from '../../notifications/mail/mail-address.js';
import type { Visit } from '../visit.js';
import { AuditService } from './audit.service.js';
import { isPassword } from './password.js';
import { type Browser, SessionsService } from './sessions.service.js';
import { TotpService } from './totp.service.js';
import { TriesService } from './tries.service.js';

/** Somebody who typed the right password, and the token of the new session. */
export interface SignedIn {
  readonly token: string;
  readonly owesCode: boolean;
}

/** Password first, then a code where the user has set one up. */
@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly audit: AuditService,
    private readonly tries: TriesService,
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
    await this.tries.take(visit, email ?? typed.toLowerCase());
    const user = email ? await this.users.findByEmail(email) : null;
    const password = form.get('password') ?? '';
    const isRight = await isPassword(password, user && !user.disabledAt ? user.passwordHash : null);
    if (!isRight || !user) return this.refused(visit, user);
    const token = await this.sessions.beginFor(user, browser, null);
    if (!token) return this.refused(visit, user);
    const owesCode = user.totpConfirmedAt !== null;
    if (!owesCode) await this.welcome(visit, user.id);
    return { token, owesCode };
  }

  /**
   * @returns the token of a new session, in which no code is owed; null for a wrong code
   * @throws Refusal 429
   */
  async giveCode(
    visit: Visit & { readonly session: LiveSession },
    code: string,
    browser: Browser,
  ): Promise<string | null> {
    const { session } = visit;
    await this.tries.take(visit, session.email);
    if (!(await this.totp.take(session.userId, code))) return null;
    const user = await this.users.find(session.userId);
    if (!user || !(await this.sessions.end(session))) return null;
    const token = await this.sessions.beginFor(user, browser, this.clock.now());
    if (token) await this.welcome(visit, session.userId);
    return token;
  }

  async signOut(session: LiveSession): Promise<void> {
    await this.sessions.end(session);
  }

  /** Written down for nobody too: else the time of the answer would tell who has an account. */
  private async refused(visit: Visit, user: User | null): Promise<null> {
    const whose = user ? { userId: user.id } : {};
    await this.audit.look({ ...visit, session: null }, { action: 'sign-in.refused', ...whose });
    return null;
  }

  private welcome(visit: Visit, userId: string): Promise<void> {
    return this.database.transaction((tx) =>
      this.audit.record(tx, visit, { action: 'sign-in', userId }),
    );
  }
}
