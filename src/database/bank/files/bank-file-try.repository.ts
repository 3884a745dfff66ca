import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database.js';
import type { Mode } from '../../merchants/api-key.entity.js';

/** Idempotent: a retry after a lost response has no effect. */
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
  text: `SELECT count(*) FILTER (WHERE NOT failed AND alive_at <= $4)::integer AS ended,
      count(*) FILTER (WHERE failed)::integer AS failed
    FROM bank_file_tries WHERE mode = $1 AND sha256 = $2 AND alive_at >= $3`,
};

const FAIL: Statement = {
  name: 'bank_file_tries_fail',
  text: `UPDATE bank_file_tries SET failed = true, alive_at = $2 WHERE id = $1`,
};

const END: Statement = {
  name: 'bank_file_tries_end',
  text: `DELETE FROM bank_file_tries WHERE id = $1 OR alive_at < $2`,
};

/** Unsuccessful import attempts of a file. */
interface FileTriesBefore {
  readonly ended: number;
  readonly failed: number;
}

/** Import attempts. Each statement commits on its own, so that a crash does not undo it. */
@Injectable()
export class BankFileTryRepository {
  constructor(private readonly database: Database) {}

  async begin(id: string, mode: Mode, sha256: Buffer, now: Date): Promise<void> {
    await this.database.query(BEGIN, [id, mode, sha256, now]);
  }

  async heartbeat(id: string, now: Date): Promise<void> {
    await this.database.query(ALIVE, [id, now]);
  }

  /**
   * Counts interrupted and failed imports of a file.
   * @param since only attempts with a heartbeat since then
   * @param gone attempts without a heartbeat since then are interrupted
   */
  async count(mode: Mode, sha256: Buffer, since: Date, gone: Date): Promise<FileTriesBefore> {
    const values = [mode, sha256, since, gone];
    return (await this.database.query<FileTriesBefore>(COUNT, values))[0]!;
  }

  async fail(id: string, now: Date): Promise<void> {
    await this.database.query(FAIL, [id, now]);
  }

  /** @param before deletes other attempts whose last heartbeat is older, too */
  async end(id: string, before: Date): Promise<void> {
    await this.database.query(END, [id, before]);
  }
}
