import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidOf } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { User } from '../database/people/user.entity.js';
import { UserRepository } from '../database/people/user.repository.js';
import { AuditService } from './audit.service.js';
import { AccountNotifier } from './mails/account-notifier.js';
import { passwordProblem } from './passwords/password-rules.js';
import { PasswordWork } from './passwords/password-work.js';
import { hashPassword, isPassword } from './passwords/password.js';
import type { SignedInContext } from './portal-context.js';
import { Refusal } from './refusal.js';
import { GuessesService } from './second-factor/guesses.service.js';
import { TotpService } from './second-factor/totp.service.js';
import { SessionsService } from './sessions/sessions.service.js';

/** Form errors by field. */
export type SecurityProblems<Name extends string> = { readonly [name in Name]?: string };

export const WRONG_PASSWORD = 'This is not your password.';
export const WRONG_CODE = 'This code is invalid or expired. Wait for the next one.';

const changedMeanwhile = (): Refusal =>
  new Refusal(
    409,
    'Your account has changed meanwhile',
    'Your password or two-factor authentication was changed. Nothing was saved: load the page again.',
  );

/** Security settings of users. Every guess of a secret is counted, and every gain renews the session. */
@Injectable()
export class SecurityService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordWork,
    private readonly notifier: AccountNotifier,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 429; 403 after too many wrong guesses; 409 if the account changed meanwhile */
  async changePassword(
    context: SignedInContext,
    { old, fresh, again }: { readonly old: string; readonly fresh: string; readonly again: string },
  ): Promise<SecurityProblems<'old' | 'fresh' | 'again'> | null> {
    const user = await this.me(context);
    const problem = old === fresh ? 'This is your old password.' : passwordProblem(fresh, user);
    if (problem) return { fresh: problem };
    if (fresh !== again) return { again: 'The two passwords differ.' };
    // Last, because hashes are expensive.
    if (!(await this.isMyPassword(context, user, old))) return { old: WRONG_PASSWORD };
    const asker = { address: context.address, known: user.id };
    const passwordHash = await this.passwords.run(asker, () => hashPassword(fresh));
    await this.sessions.renew(context, {}, async (tx) => {
      await this.hold(tx, user);
      await this.users.update(tx, user.id, { passwordHash });
      await this.sessions.endOthers(tx, user.id, context.session.id);
      await this.noteChange(tx, context, 'password.changed');
    });
    return null;
  }

  /**
   * Activates an authenticator app. The first one requires the password, another one a code of the old app.
   * @returns recovery codes, or form errors
   * @throws Refusal 429; 403 after too many wrong guesses; 409
   */
  async setUpApp(
    context: SignedInContext,
    { secret, proof, code }: Readonly<Record<'secret' | 'proof' | 'code', string>>,
  ): Promise<string[] | SecurityProblems<'proof' | 'code'>> {
    const user = await this.me(context);
    const action = user.totpConfirmedAt ? 'second-factor.replaced' : 'second-factor.set-up';
    // Check the new code first, since checking the old one uses it up.
    // The present secret is no new app: a code that was used would work again.
    const step = secret === user.totpSecret ? null : await this.totp.stepOf(secret, code);
    if (step === null) return { code: WRONG_CODE };
    if (!(await this.isProof(context, user, proof))) {
      return { proof: user.totpConfirmedAt ? WRONG_CODE : WRONG_PASSWORD };
    }
    const gained = { secondFactorAt: this.clock.now(), hasSecondFactor: true };
    return this.sessions.renew(context, gained, async (tx) => {
      await this.hold(tx, user);
      await this.sessions.endOthers(tx, user.id, context.session.id);
      await this.noteChange(tx, context, action);
      return this.totp.confirm(tx, user.id, secret, step);
    });
  }

  /** @returns null for a wrong code @throws Refusal 429; 409 */
  async renewRecoveryCodes(context: SignedInContext, code: string): Promise<string[] | null> {
    const user = await this.me(context);
    const take = (): Promise<boolean> => this.totp.take(user.id, code);
    if (!(await this.guesses.inSession(context, 'code', take))) return null;
    return this.sessions.renew(context, { secondFactorAt: this.clock.now() }, async (tx) => {
      await this.hold(tx, user);
      await this.noteChange(tx, context, 'recovery-codes.renewed');
      return this.totp.renewRecoveryCodes(tx, user.id);
    });
  }

  recoveryCodesLeft({ session }: SignedInContext): Promise<number> {
    return this.users.recoveryCodesLeft(session.userId);
  }

  /** Ignores sessions of other users. */
  async endSession(context: SignedInContext, text: string): Promise<void> {
    const id = uuidOf(text);
    if (id === null) return;
    const { userId } = context.session;
    await this.database.transaction(async (tx) => {
      await this.audit.record(tx, context, { action: 'session.ended', subject: id });
      await this.sessions.endIn(tx, { userId, id });
    });
  }

  async endOtherSessions(context: SignedInContext): Promise<void> {
    const { userId, id } = context.session;
    await this.sessions.renew(context, {}, async (tx) => {
      await this.sessions.endOthers(tx, userId, id);
      await this.audit.record(tx, context, { action: 'sessions.ended' });
    });
  }

  /** Locks the user and verifies that the account is unchanged since the proof. */
  private async hold(tx: EntityManager, user: User): Promise<void> {
    if (!(await this.users.holdUnchanged(tx, user))) throw changedMeanwhile();
  }

  /** Records the change in the audit log and sends a notice. */
  private async noteChange(
    tx: EntityManager,
    context: SignedInContext,
    action: Parameters<AccountNotifier['changed']>[2],
  ): Promise<void> {
    await this.audit.record(tx, context, { action });
    await this.notifier.changed(tx, context.session.userId, action, context.address);
  }

  private isProof(context: SignedInContext, user: User, proof: string): Promise<boolean> {
    if (!user.totpConfirmedAt) return this.isMyPassword(context, user, proof);
    return this.guesses.inSession(context, 'code', () => this.totp.take(user.id, proof));
  }

  private isMyPassword(context: SignedInContext, user: User, typed: string): Promise<boolean> {
    return this.guesses.inSession(context, 'password', () =>
      this.passwords.run({ address: context.address, known: user.id }, () =>
        isPassword(typed, user.passwordHash),
      ),
    );
  }

  private async me({ session }: SignedInContext): Promise<User> {
    const user = await this.users.find(session.userId);
    if (!user) throw new Error('the user of the session does not exist');
    return user;
  }
}
