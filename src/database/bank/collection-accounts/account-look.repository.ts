import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../database.js';
import type { Mode } from '../../merchants/api-key.entity.js';

const LAST: Statement = {
  name: 'account_last_look',
  text: `SELECT max(created_at) AS at FROM bank_statements WHERE mode = $1 AND account = $2`,
};

/** Bank lines need no check: each belongs to a statement. */
const IS_KNOWN: Statement = {
  name: 'account_is_known',
  text: `SELECT EXISTS (SELECT FROM bank_statements WHERE mode = $1 AND account = $2)
    OR EXISTS (SELECT FROM collection_accounts WHERE mode = $1 AND account = $2) AS known`,
};

/** Reads when an account was last checked for transfers: at its newest imported statement. */
@Injectable()
export class AccountLookRepository {
  constructor(private readonly database: Database) {}

  /** @param account as `StoredStatement.account`. @returns null before the first statement */
  async lastLookAt(mode: Mode, account: string): Promise<Date | null> {
    const [row] = await this.database.query<{ at: Date | null }>(LAST, [mode, account]);
    return row?.at ?? null;
  }

  /** Whether the account is or was a collection account, or has a statement. */
  async isKnown(mode: Mode, account: string): Promise<boolean> {
    const [row] = await this.database.query<{ known: boolean }>(IS_KNOWN, [mode, account]);
    return row!.known;
  }
}
