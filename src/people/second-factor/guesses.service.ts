import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { GuessRepository } from '../../database/people/guess.repository.js';
import type { User } from '../../database/people/user.entity.js';
import { AuditService } from '../audit.service.js';
import { UserNotices } from '../mails/user-notices.js';
import { AttemptLimitsService } from '../passwords/attempt-limits.service.js';
import type { SignedInContext, PortalContext } from '../portal-context.js';
import { Refusal } from '../refusal.js';
import { SessionsService } from '../sessions/sessions.service.js';

/** Wrong guesses that end a session, since its last right code. */
export const GUESSES_MAX = 5;
const HOUR_MS = 3_600_000;

/** What a guess is at. */
type Secret = 'code' | 'password';

const signedOut = (): Refusal =>
  new Refusal(
    403,
    'You are signed out',
    'That was wrong too often. Sign in again; a mail tells you of it.',
  );

const notYet = (): Refusal =>
  new Refusal(
    429,
    'Too many wrong codes',
    'Wait before you sign in again: a minute at first, then longer and longer, an hour at most. A browser in which you have signed in before need not wait.',
  );

/** Counts and writes down who is wrong: guessing costs more the longer it goes on, and is told of. */
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
   * A guess of somebody who is signed in.
   * @returns whether it was right
   * @throws Refusal 429; 403 when it was wrong once too often, and the session is over
   */
  async inSession(
    context: SignedInContext,
    secret: Secret,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const guess = await this.attemptLimits.inSession(context);
    if (!(await guess.spend(isRight))) return this.wrong(context, secret);
    await guess.giveBack();
    // A right password says nothing of the codes that were wrong before it.
    if (secret === 'code') await this.guesses.forgiveSession(context.session.id);
    return true;
  }

  /**
   * The code at the sign-in, of somebody who knows the password.
   * @param device null in a browser that the account does not know
   * @throws Refusal as `inSession`; 429 while the account waits, which all browsers that it knows
   * together need not do for a number of codes
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

  /** A wrong password at the sign-in: the first of an hour is written down, all are counted. */
  async refused(context: PortalContext, user: User | null): Promise<void> {
    const hour = new Date(Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    await this.database.transaction(async (tx) => {
      // The same for nobody: else the time of the answer would tell who has an account.
      if (!(await this.guesses.isFirstRefusal(tx, user?.id ?? null, hour))) return;
      const whose = user ? { userId: user.id } : {};
      const nobody = { ...context, session: null };
      await this.audit.record(tx, nobody, { action: 'sign-in.refused', ...whose });
    });
  }

  private async wrong(context: SignedInContext, secret: Secret): Promise<false> {
    const { session, address } = context;
    const isOver = await this.database.transaction(async (tx) => {
      const wrong = await this.guesses.countInSession(tx, session.id);
      // Also when the session has ended meanwhile: a guess is one all the same.
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
