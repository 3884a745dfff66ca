import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { isUuid } from '../../common/ids.js';
import { Database } from '../../database/database.js';
import type { User } from '../../database/entities/user.entity.js';
import { UserRepository } from '../../database/repositories/user.repository.js';
import { Refusal } from '../refusal.js';
import type { SignedVisit } from '../visit.js';
import { AccountNews } from './account-news.js';
import { AuditService } from './audit.service.js';
import { GuessesService } from './guesses.service.js';
import { hashPassword, isPassword } from './password.js';
import { PasswordWork } from './password-work.js';
import { passwordProblem } from './password-rules.js';
import { SessionsService } from './sessions.service.js';
import { TotpService } from './totp.service.js';

/** What is wrong with the fields of a form, by their names. */
export type Problems<Name extends string> = { readonly [name in Name]?: string };

export const WRONG_PASSWORD = 'This is not your password.';
export const WRONG_CODE = 'This code does not work, or no longer does. Wait for the next one.';

const changedMeanwhile = (): Refusal =>
  new Refusal(
    409,
    'Your account has changed meanwhile',
    'Somebody has chosen a new password or a new second step. Nothing was changed: load the page again.',
  );

/**
 * What people do for the safety of their own accounts. Every guess at a secret is counted, and
 * whatever a right one brings is brought to a renewed session.
 */
@Injectable()
export class SecurityService {
  constructor(
    private readonly database: Database,
    private readonly users: UserRepository,
    private readonly sessions: SessionsService,
    private readonly totp: TotpService,
    private readonly guesses: GuessesService,
    private readonly passwords: PasswordWork,
    private readonly news: AccountNews,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal 429; 403 when it was wrong too often; 409 when the account changed meanwhile */
  async changePassword(
    visit: SignedVisit,
    { old, fresh, again }: { readonly old: string; readonly fresh: string; readonly again: string },
  ): Promise<Problems<'old' | 'fresh' | 'again'> | null> {
    const user = await this.me(visit);
    if (!(await this.isMyPassword(visit, user, old))) return { old: WRONG_PASSWORD };
    const problem = old === fresh ? 'This is your old password.' : passwordProblem(fresh, user);
    if (problem) return { fresh: problem };
    if (fresh !== again) return { again: 'The two passwords differ.' };
    const passwordHash = await this.passwords.run({ known: user.id }, () => hashPassword(fresh));
    await this.sessions.renew(visit, {}, async (tx) => {
      await this.hold(tx, user);
      await this.users.update(tx, user.id, { passwordHash });
      await this.sessions.endOthers(tx, user.id, visit.session.id);
      await this.noteChange(tx, visit, 'password.changed');
    });
    return null;
  }

  /**
   * Takes a new authenticator app into use: for the first one the password is asked, for another one
   * a code of the old one.
   * @returns recovery codes, or what is wrong
   * @throws Refusal 429; 403 when it was wrong too often; 409
   */
  async setUpApp(
    visit: SignedVisit,
    { secret, proof, code }: Readonly<Record<'secret' | 'proof' | 'code', string>>,
  ): Promise<string[] | Problems<'proof' | 'code'>> {
    const user = await this.me(visit);
    const action = user.totpConfirmedAt ? 'second-factor.replaced' : 'second-factor.set-up';
    // First, because the proof may be a code that is worth nothing afterwards.
    const step = await this.totp.stepOf(secret, code);
    if (step === null) return { code: WRONG_CODE };
    if (!(await this.isProof(visit, user, proof))) {
      return { proof: user.totpConfirmedAt ? WRONG_CODE : WRONG_PASSWORD };
    }
    const gained = { secondFactorAt: this.clock.now(), hasSecondFactor: true };
    return this.sessions.renew(visit, gained, async (tx) => {
      await this.hold(tx, user);
      await this.sessions.endOthers(tx, user.id, visit.session.id);
      await this.noteChange(tx, visit, action);
      return this.totp.confirm(tx, user.id, secret, step);
    });
  }

  /** @returns null for a wrong code @throws Refusal 429; 409 */
  async renewRecoveryCodes(visit: SignedVisit, code: string): Promise<string[] | null> {
    const user = await this.me(visit);
    const take = (): Promise<boolean> => this.totp.take(user.id, code);
    if (!(await this.guesses.inSession(visit, 'code', take))) return null;
    return this.sessions.renew(visit, { secondFactorAt: this.clock.now() }, async (tx) => {
      await this.hold(tx, user);
      await this.noteChange(tx, visit, 'recovery-codes.renewed');
      return this.totp.renewRecoveryCodes(tx, user.id);
    });
  }

  recoveryCodesLeft({ session }: SignedVisit): Promise<number> {
    return this.users.recoveryCodesLeft(session.userId);
  }

  /** A session of somebody else is left alone. */
  async endSession(visit: SignedVisit, id: string): Promise<void> {
    if (!isUuid(id)) return;
    const { userId } = visit.session;
    await this.database.transaction(async (tx) => {
      await this.audit.record(tx, visit, { action: 'session.ended', subject: id });
      await this.sessions.endIn(tx, { userId, id });
    });
  }

  async endOtherSessions(visit: SignedVisit): Promise<void> {
    const { userId, id } = visit.session;
    await this.sessions.renew(visit, {}, async (tx) => {
      await this.sessions.endOthers(tx, userId, id);
      await this.audit.record(tx, visit, { action: 'sessions.ended' });
    });
  }

  /** What was proved was proved of the account as it was: a change meanwhile came first. */
  private async hold(tx: EntityManager, user: User): Promise<void> {
    if (!(await this.users.holdUnchanged(tx, user))) throw changedMeanwhile();
  }

  /** In the audit log, and to the mailbox of whoever it may not have been. */
  private async noteChange(
    tx: EntityManager,
    visit: SignedVisit,
    action: Parameters<AccountNews['changed']>[2],
  ): Promise<void> {
    await this.audit.record(tx, visit, { action });
    await this.news.changed(tx, visit.session.userId, action, visit.address);
  }

  private isProof(visit: SignedVisit, user: User, proof: string): Promise<boolean> {
    if (!user.totpConfirmedAt) return this.isMyPassword(visit, user, proof);
    return this.guesses.inSession(visit, 'code', () => this.totp.take(user.id, proof));
  }

  private isMyPassword(visit: SignedVisit, user: User, typed: string): Promise<boolean> {
    return this.guesses.inSession(visit, 'password', () =>
      this.passwords.run({ known: user.id }, () => isPassword(typed, user.passwordHash)),
    );
  }

  private async me({ session }: SignedVisit): Promise<User> {
    const user = await this.users.find(session.userId);
    if (!user) throw new Error('a session of nobody');
    return user;
  }
}
