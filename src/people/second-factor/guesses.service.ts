import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { Database } from '../../database/database.js';
import { GuessRepository } from '../../database/people/guess.repository.js';
import type { User } from '../../database/people/user.entity.js';
import { AuditService } from '../audit.service.js';
import { UserNotices } from '../mails/user-notices.js';
import { AttemptLimitsService } from '../passwords/attempt-limits.service.js';
import type { SignedInContext, PortalContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Wrong guesses since the last valid code that end a session. */
export const GUESSES_MAX = 5;
const HOUR_MS = 3_600_000;

/** Guessed secret. */
type Secret = 'code' | 'password';

const signedOut = (): Refusal =>
  new Refusal(
    403,
    'You are signed out',
    'Too many wrong attempts. Sign in again; a mail about it was sent to you.',
  );

const notYet = (): Refusal =>
  new Refusal(
    429,
    'Too many wrong codes',
    'Wait before you sign in again: a minute at first, then longer and longer, an hour at most. A browser in which you have signed in before need not wait.',
  );

/** Counts and audits wrong guesses, slows them down and sends notices. */
@Injectable()
export class GuessesService {
  constructor(
    private readonly database: Database,
    private readonly guesses: GuessRepository,
    private readonly sessions: SessionsService,
    private readonly attemptLimits: AttemptLimitsService,
    private readonly notices: UserNotices,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks a guess of a signed-in user.
   * @returns whether it was right
   * @throws Refusal 429; 403 if it was one wrong guess too many, which ends the session
   */
  async inSession(
    context: SignedInContext,
    secret: Secret,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const guess = await this.attemptLimits.inSession(context);
    if (!(await guess.spend(isRight))) return this.wrong(context, secret);
    await guess.giveBack();
    // A right password does not reset the count of wrong codes.
    if (secret === 'code') await this.guesses.forgiveSession(context.session.id);
    return true;
  }

  /**
   * Checks the code at sign-in, after the right password.
   * @param device null in a browser that the account does not know
   * @throws Refusal as `inSession`; 429 while the account is blocked; known browsers share a number of codes exempt
   * from this
   */
  async atSignIn(
    context: SignedInContext,
    device: string | null,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const { userId } = context.session;
    const wasRight = await this.inSession(context, 'code', async () => {
      const known = device === null ? null : await this.attemptLimits.may(['codes', userId, 1]);
      const mayNow = await this.guesses.takeCode(userId, this.clock.now(), known !== null);
      if (!mayNow) throw notYet();
      return isRight();
    });
    if (wasRight) await this.guesses.forgive(userId);
    return wasRight;
  }

  /** Records a wrong password at sign-in: the first per hour in the audit log, all in the count. */
  async refused(context: PortalContext, user: User | null): Promise<void> {
    const hour = new Date(Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    await this.database.transaction(async (tx) => {
      // Same work for unknown users, so that response times reveal nothing.
      if (!(await this.guesses.isFirstRefusal(tx, user?.id ?? null, hour))) return;
      const whose = user ? { userId: user.id } : {};
      const anonymous = { ...context, session: null };
      await this.audit.record(tx, anonymous, { action: 'sign-in.refused', ...whose });
    });
  }

  private async wrong(context: SignedInContext, secret: Secret): Promise<false> {
    const { session, address } = context;
    const isOver = await this.database.transaction(async (tx) => {
      const wrong = await this.guesses.countInSession(tx, session.id);
      // Record the guess even if the session has ended meanwhile.
      const guesser = { ...context, session: null };
      const entry = { action: `${secret}.refused`, userId: session.userId, data: { wrong } };
      await this.audit.record(tx, guesser, entry);
      if (wrong < GUESSES_MAX) return false;
      await this.sessions.endIn(tx, session);
      const notice = { kind: 'codes-guessed', merchantId: null, data: { address } } as const;
      await this.notices.notifyAtMost(tx, 1, session.userId, notice);
      return true;
    });
    if (!isOver) return false;
    await this.notices.wake();
    throw signedOut();
  }
}
