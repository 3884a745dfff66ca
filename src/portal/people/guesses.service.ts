import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import type { User } from '../../database/entities/user.entity.js';
import { GuessRepository } from '../../database/repositories/guess.repository.js';
import { Refusal } from '../refusal.js';
import type { SignedVisit, Visit } from '../visit.js';
import { AuditService } from './audit.service.js';
import { SessionsService } from './sessions.service.js';
import { TriesService } from './tries.service.js';
import { UserNotices } from './user-notices.js';

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
    private readonly tries: TriesService,
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
    visit: SignedVisit,
    secret: Secret,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const guess = await this.tries.inSession(visit);
    if (!(await guess.spend(isRight))) return this.wrong(visit, secret);
    await guess.giveBack();
    // A right password says nothing of the codes that were wrong before it.
    if (secret === 'code') await this.guesses.forgiveSession(visit.session.id);
    return true;
  }

  /**
   * The code at the sign-in, of somebody who knows the password.
   * @param device null in a browser that the account does not know
   * @throws Refusal as `inSession`; 429 while the account waits, which all browsers that it knows
   * together need not do for a number of codes
   */
  async atSignIn(
    visit: SignedVisit,
    device: string | null,
    isRight: () => Promise<boolean>,
  ): Promise<boolean> {
    const { userId } = visit.session;
    const wasRight = await this.inSession(visit, 'code', async () => {
      const known = device === null ? null : await this.tries.may(['codes', userId, 1]);
      const mayNow = await this.guesses.takeCode(userId, this.clock.now(), known !== null);
      if (!mayNow) throw notYet();
      return isRight();
    });
    if (wasRight) await this.guesses.forgive(userId);
    return wasRight;
  }

  /** A wrong password at the sign-in: the first of an hour is written down, all are counted. */
  async refused(visit: Visit, user: User | null): Promise<void> {
    const hour = new Date(Math.floor(this.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    await this.database.transaction(async (tx) => {
      // The same for nobody: else the time of the answer would tell who has an account.
      if (!(await this.guesses.isFirstRefusal(tx, user?.id ?? null, hour))) return;
      const whose = user ? { userId: user.id } : {};
      const nobody = { ...visit, session: null };
      await this.audit.record(tx, nobody, { action: 'sign-in.refused', ...whose });
    });
  }

  private async wrong(visit: SignedVisit, secret: Secret): Promise<false> {
    const { session, address } = visit;
    const isOver = await this.database.transaction(async (tx) => {
      const wrong = await this.guesses.countInSession(tx, session.id);
      // Also when the session has ended meanwhile: a guess is one all the same.
      const guesser = { ...visit, session: null };
      const deed = { action: `${secret}.refused`, userId: session.userId, data: { wrong } };
      await this.audit.record(tx, guesser, deed);
      if (wrong < GUESSES_MAX) return false;
      await this.sessions.endIn(tx, session);
      const news = { kind: 'codes-guessed', merchantId: null, data: { address } } as const;
      await this.notices.tellAtMost(tx, 1, session.userId, news);
      return true;
    });
    if (!isOver) return false;
    await this.notices.ring();
    throw signedOut();
  }
}
