import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThan, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { GatedRepository } from '../gated-repository.js';
import { SignInRefusal } from './sign-in-refusal.entity.js';
import { UserSession } from './user-session.entity.js';
import { User } from './user.entity.js';

/** Wrong codes in a row after which somebody waits, and again after as many more. */
const CODES_MAX = 5;

/**
 * Takes one of the tries before the code is looked at, so that many at once are counted, too. After
 * each fifth in a row the next code is taken a minute later, then two, four … an hour. $3 does not
 * wait, and is counted all the same.
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

/** Stands for all addresses that nobody has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** How often somebody was wrong. */
@Injectable()
export class GuessRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(User) private readonly users: GatedRepository<User>,
    @InjectRepository(UserSession) private readonly sessions: GatedRepository<UserSession>,
    @InjectRepository(SignInRefusal) private readonly refusals: GatedRepository<SignInRefusal>,
  ) {}

  /** @returns false while the user has to wait, unless the code is of those that need not */
  async takeCode(userId: string, now: Date, needNotWait: boolean): Promise<boolean> {
    return (await this.database.query(TAKE_CODE, [userId, now, needNotWait])).length === 1;
  }

  /** A right code: counting begins anew. */
  async forgive(userId: string): Promise<void> {
    const counted = { id: userId, wrongCodes: MoreThan(0) };
    await this.users.update(counted, { wrongCodes: 0, codesFrom: null });
  }

  /** @returns wrong guesses in a row, this one among them */
  async countInSession(tx: EntityManager, sessionId: string): Promise<number> {
    const [rows] = await tx.query<[{ n: number }[], number]>(COUNT_IN_SESSION, [sessionId]);
    return rows[0]?.n ?? 0;
  }

  async forgiveSession(sessionId: string): Promise<void> {
    const counted = { id: sessionId, wrongGuesses: MoreThan(0) };
    await this.sessions.update(counted, { wrongGuesses: 0 });
  }

  /**
   * Counts a wrong password. @param userId null for an address that nobody has
   * @returns whether it is the first of the hour
   */
  async isFirstRefusal(tx: EntityManager, userId: string | null, hour: Date): Promise<boolean> {
    const rows = await tx.query<{ tries: number }[]>(REFUSE, [userId ?? NOBODY, hour]);
    return Number(rows[0]?.tries) === 1;
  }

  async purge(before: Date): Promise<void> {
    await this.refusals.delete({ hour: LessThan(before) });
  }
}
