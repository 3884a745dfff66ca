import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import { SignInRefusal } from './sign-in-refusal.entity.js';
import { UserSession } from './user-session.entity.js';
import { User } from './user.entity.js';

/** Consecutive wrong codes after which the user has to wait, each time. */
const CODES_MAX = 5;

/**
 * Counts the attempt before the code is checked, so that concurrent attempts are limited, too. After every fifth
 * consecutive wrong code the delay doubles: 1 minute, 2, 4, up to 60. `$3` skips the delay but is counted.
 */
const TAKE_CODE: Statement = {
  name: 'guess_take_code',
  text: `UPDATE users SET wrong_codes = wrong_codes + 1,
      codes_from = CASE WHEN (wrong_codes + 1) % ${CODES_MAX} = 0 THEN $2::timestamptz
        + least(60, power(2, least(wrong_codes / ${CODES_MAX}, 6))) * interval '1 minute' ELSE codes_from END
    WHERE id = $1 AND ($3::boolean OR codes_from IS NULL OR codes_from <= $2)
    RETURNING wrong_codes AS "wrongCodes"`,
};

const COUNT_IN_SESSION = `UPDATE user_sessions SET wrong_guesses = wrong_guesses + 1
  WHERE id = $1 RETURNING wrong_guesses AS n`;

const REFUSE = `INSERT INTO sign_in_refusals (whose, hour, tries) VALUES ($1, $2, 1)
  ON CONFLICT ON CONSTRAINT sign_in_refusals_pk
  DO UPDATE SET tries = sign_in_refusals.tries + 1 RETURNING tries`;

/** Shared key for all addresses without an account. */
const UNKNOWN_ADDRESS = '00000000-0000-0000-0000-000000000000';

/** Counts failed sign-in attempts. */
@Injectable()
export class GuessRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(User) private readonly users: LimitedRepository<User>,
    @InjectRepository(UserSession) private readonly sessions: LimitedRepository<UserSession>,
    @InjectRepository(SignInRefusal) private readonly refusals: LimitedRepository<SignInRefusal>,
  ) {}

  /** @returns false while the user has to wait, unless `needNotWait` */
  async takeCode(userId: string, now: Date, needNotWait: boolean): Promise<boolean> {
    return (await this.database.query(TAKE_CODE, [userId, now, needNotWait])).length === 1;
  }

  /** Resets the count after a correct code. */
  async forgive(userId: string): Promise<void> {
    const counted = { id: userId, wrongCodes: MoreThan(0) };
    await this.users.update(counted, { wrongCodes: 0, codesFrom: null });
  }

  /** @returns consecutive wrong guesses, including this one */
  async countInSession(tx: EntityManager, sessionId: string): Promise<number> {
    const [rows] = await tx.query<[{ n: number }[], number]>(COUNT_IN_SESSION, [sessionId]);
    return rows[0]?.n ?? 0;
  }

  async forgiveSession(sessionId: string): Promise<void> {
    const counted = { id: sessionId, wrongGuesses: MoreThan(0) };
    await this.sessions.update(counted, { wrongGuesses: 0 });
  }

  /**
   * Counts a wrong password.
   * @param userId null for an address without an account
   * @returns whether it is the first of the hour
   */
  async isFirstRefusal(tx: EntityManager, userId: string | null, hour: Date): Promise<boolean> {
    const rows = await tx.query<{ tries: number }[]>(REFUSE, [userId ?? UNKNOWN_ADDRESS, hour]);
    return Number(rows[0]?.tries) === 1;
  }

  async purge(before: Date): Promise<void> {
    await this.refusals.delete({ hour: LessThan(before) });
  }
}
