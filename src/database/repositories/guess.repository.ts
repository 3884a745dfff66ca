import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';

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

const FORGIVE: Statement = {
  name: 'guess_forgive',
  text: 'UPDATE users SET wrong_codes = 0, codes_from = NULL WHERE id = $1 AND wrong_codes > 0',
};

const COUNT_IN_SESSION = `UPDATE user_sessions SET wrong_guesses = wrong_guesses + 1
  WHERE id = $1 RETURNING wrong_guesses AS n`;

const FORGIVE_SESSION: Statement = {
  name: 'guess_forgive_session',
  text: 'UPDATE user_sessions SET wrong_guesses = 0 WHERE id = $1 AND wrong_guesses > 0',
};

const REFUSE = `INSERT INTO sign_in_refusals (whose, hour, tries) VALUES ($1, $2, 1)
  ON CONFLICT ON CONSTRAINT sign_in_refusals_pk
  DO UPDATE SET tries = sign_in_refusals.tries + 1 RETURNING tries`;

const PURGE: Statement = {
  name: 'guess_purge',
  text: 'DELETE FROM sign_in_refusals WHERE hour < $1',
};

/** Stands for all addresses that nobody has. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** How often somebody was wrong. */
@Injectable()
export class GuessRepository {
  constructor(private readonly database: Database) {}

  /** @returns false while the user has to wait, unless the code is of those that need not */
  async takeCode(userId: string, now: Date, needNotWait: boolean): Promise<boolean> {
    return (await this.database.query(TAKE_CODE, [userId, now, needNotWait])).length === 1;
  }

  /** A right code: counting begins anew. */
  async forgive(userId: string): Promise<void> {
    await this.database.query(FORGIVE, [userId]);
  }

  /** @returns wrong guesses in a row, this one among them */
  async countInSession(tx: EntityManager, sessionId: string): Promise<number> {
    const [rows] = await tx.query<[{ n: number }[], number]>(COUNT_IN_SESSION, [sessionId]);
    return rows[0]?.n ?? 0;
  }

  async forgiveSession(sessionId: string): Promise<void> {
    await this.database.query(FORGIVE_SESSION, [sessionId]);
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
    await this.database.query(PURGE, [before]);
  }
}
