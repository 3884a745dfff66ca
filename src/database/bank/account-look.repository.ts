import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';

const LAST: Statement = {
  name: 'account_last_look',
  text: `SELECT max(created_at) AS at FROM bank_statements WHERE mode = $1 AND account = $2`,
};

/** A line is never without a statement. */
const IS_KNOWN: Statement = {
  name: 'account_is_known',
  text: `SELECT EXISTS (SELECT FROM bank_statements WHERE mode = $1 AND account = $2)
    OR EXISTS (SELECT FROM collection_accounts WHERE mode = $1 AND account = $2) AS known`,
};

/** When the platform looked at its accounts: each statement that is read is a look. */
@Injectable()
export class AccountLookRepository {
  constructor(private readonly database: Database) {}

  /** @param account as `StoredStatement.account`. @returns null when there was no statement of it yet */
  async lastLookAt(mode: Mode, account: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(LAST, [mode, account]);
    return row?.at ?? null;
  }

  /** Whether it is, or was, a collection account, or a statement is of it. */
  async isKnown(mode: Mode, account: string): Promise<boolean> {
    const [row] = await this.database.query<{ known: boolean }>(IS_KNOWN, [mode, account]);
    return row!.known;
  }
}
