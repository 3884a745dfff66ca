import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database.js';
import type { BankLineTry } from './bank-line-try.entity.js';

const FIND: Statement = {
  name: 'bank_line_tries_known',
  text: `SELECT line_id AS "lineId", tries, tried_at AS "triedAt" FROM bank_line_tries
    WHERE line_id = ANY ($1::uuid[])`,
};

/** Inserts in id order: concurrent calls with the same lines would deadlock otherwise. */
const BEGIN: Statement = {
  name: 'bank_line_tries_begin',
  text: `INSERT INTO bank_line_tries AS t (line_id, tries, tried_at)
    SELECT l.id, 1, $2 FROM bank_lines l
    WHERE l.id = ANY ($1::uuid[]) AND l.looked_at IS NULL ORDER BY l.id
    ON CONFLICT (line_id) DO UPDATE SET tries = t.tries + 1, tried_at = excluded.tried_at
    RETURNING line_id AS "lineId", tries, tried_at AS "triedAt"`,
};

const END: Statement = {
  name: 'bank_line_tries_end',
  text: `DELETE FROM bank_line_tries WHERE line_id = ANY ($1::uuid[])`,
};

/** Counts matching attempts per line. Each statement commits on its own, so that a crash does not undo it. */
@Injectable()
export class BankLineTryRepository {
  constructor(private readonly database: Database) {}

  find(lines: readonly string[]): Promise<BankLineTry[]> {
    return this.database.query(FIND, [lines]);
  }

  /** Counts an attempt for each line that is not processed yet. @returns those lines with all their attempts */
  begin(lines: readonly string[], now: Date): Promise<BankLineTry[]> {
    return this.database.query(BEGIN, [lines, now]);
  }

  async end(lines: readonly string[]): Promise<void> {
    if (lines.length > 0) await this.database.query(END, [lines]);
  }
}
