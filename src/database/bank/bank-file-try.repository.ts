import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';

/** Again without effect, as by somebody who did not hear that it was done. */
const BEGIN: Statement = {
  name: 'bank_file_tries_begin',
  text: `INSERT INTO bank_file_tries (id, mode, sha256, alive_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO NOTHING`,
};

const ALIVE: Statement = {
  name: 'bank_file_tries_alive',
  text: `UPDATE bank_file_tries SET alive_at = $2 WHERE id = $1`,
};

const COUNT: Statement = {
  name: 'bank_file_tries_count',
  text: `SELECT count(*)::integer AS tries FROM bank_file_tries
    WHERE mode = $1 AND sha256 = $2 AND alive_at BETWEEN $3 AND $4`,
};

const END: Statement = {
  name: 'bank_file_tries_end',
  text: `DELETE FROM bank_file_tries WHERE id = $1 OR alive_at < $2`,
};

/** Imports that are under way; each statement counts at once, whatever happens next. */
@Injectable()
export class BankFileTryRepository {
  constructor(private readonly database: Database) {}

  async begin(id: string, mode: Mode, sha256: Buffer, now: Date): Promise<void> {
    await this.database.query(BEGIN, [id, mode, sha256, now]);
  }

  async sayAlive(id: string, now: Date): Promise<void> {
    await this.database.query(ALIVE, [id, now]);
  }

  /** Imports of a file that were last alive in this time. */
  async count(mode: Mode, sha256: Buffer, since: Date, until: Date): Promise<number> {
    const values = [mode, sha256, since, until];
    return (await this.database.query<{ tries: number }>(COUNT, values))[0]!.tries;
  }

  /** @param before when others were last alive that count no more */
  async end(id: string, before: Date): Promise<void> {
    await this.database.query(END, [id, before]);
  }
}
