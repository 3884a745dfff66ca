import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { UNKNOWN_MONEY_OUT, IS_WAITING } from './waiting-lines.js';

const WAITING_LINES: Statement = {
  name: 'bank_lines_waiting',
  text: `SELECT mode, CASE WHEN ${UNKNOWN_MONEY_OUT} THEN 'unknown_money_out' ELSE state END AS state,
      count(*)::integer AS lines,
      greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM bank_lines WHERE ${IS_WAITING} GROUP BY 1, 2`,
};

/**
 * The last day until `$1` of which a statement tells all; before the first one, the day on which the account was added. A
 * day to come, which a bank wrote by mistake, would hide that statements are missing.
 */
const LAST_DAY = `coalesce((
    SELECT max(s.covers_until) FROM bank_statements s
    WHERE s.mode = c.mode AND s.account = c.account AND s.covers_until <= $1::date
  ), c.created_at::date)`;

const LAST_STATEMENTS: Statement = {
  name: 'bank_last_statements',
  text: `SELECT c.id, c.mode, c.currency, c.account, ${LAST_DAY}::text AS "lastDay"
    FROM collection_accounts c WHERE c.disabled_at IS NULL ORDER BY "lastDay", c.id LIMIT $2`,
};

const MISSING: Statement = {
  name: 'bank_statements_missing',
  text: `SELECT id, currency, account, "lastDay" FROM (
      SELECT c.*, ${LAST_DAY}::text AS "lastDay" FROM collection_accounts c
      WHERE c.disabled_at IS NULL AND c.mode = 'live'
    ) c WHERE "lastDay" < $2 AND told_missing_after::text IS DISTINCT FROM "lastDay" ORDER BY id LIMIT $3`,
};

const TELL = `UPDATE collection_accounts SET told_missing_after = $2
  WHERE id = $1 AND disabled_at IS NULL AND told_missing_after IS DISTINCT FROM $2 RETURNING 1`;

/**
 * Statements that begin with another balance than the one with which those before end, since `$1`; those that came
 * later may fill the gap.
 */
const GAPS: Statement = {
  name: 'bank_statement_gaps',
  text: `WITH told AS (
      SELECT id, mode, account, currency, opening_balance, closing_balance, covers_from, covers_until
      FROM bank_statements WHERE covers_until >= $1::date
    ), ends AS (
      SELECT s.*, (SELECT max(p.covers_until) FROM told p WHERE p.mode = s.mode
        AND p.account = s.account AND p.currency = s.currency AND p.covers_until < s.covers_from
        AND p.closing_balance IS NOT NULL) AS last_day
      FROM told s WHERE s.opening_balance IS NOT NULL
    )
    SELECT s.mode, s.account, s.currency, s.last_day::text AS "lastDay", s.covers_from::text AS "nextDay"
    FROM ends s WHERE s.last_day IS NOT NULL AND NOT EXISTS (
      SELECT FROM told p WHERE p.mode = s.mode AND p.account = s.account AND p.currency = s.currency
        AND p.id <> s.id AND p.closing_balance = s.opening_balance
        AND p.covers_until BETWEEN s.last_day AND s.covers_from)
    GROUP BY s.mode, s.account, s.currency, s.last_day, s.covers_from
    ORDER BY s.covers_from DESC, s.mode, s.account LIMIT $2`,
};

/** Between two statements of an account, the second of which does not go on where the first ended. */
export interface StatementGap {
  readonly mode: Mode;
  readonly account: string;
  readonly currency: string;
  /** The last day of the one before, `YYYY-MM-DD`. */
  readonly lastDay: string;
  /** The first of the one after. */
  readonly nextDay: string;
}

/** How lines wait for a person. */
export const WAITING_STATES = ['suggested', 'unmatched', 'unknown_money_out'] as const;

/** Lines that wait for a person. */
export interface WaitingLines {
  readonly mode: Mode;
  readonly state: (typeof WAITING_STATES)[number];
  readonly lines: number;
  /** Since the oldest of them was stored. */
  readonly oldestSeconds: number;
}

/** How far the statements of an account in use reach. */
export interface LastStatement {
  /** Of the collection account. */
  readonly id: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly account: string;
  /** `YYYY-MM-DD` */
  readonly lastDay: string;
}

export type MissingStatement = Omit<LastStatement, 'mode'>;

/** How the accounts of the platform stand: what waits for a person, and which statements are missing. */
@Injectable()
export class BankWatchRepository {
  constructor(private readonly database: Database) {}

  waiting(now: Date): Promise<WaitingLines[]> {
    return this.database.query<WaitingLines>(WAITING_LINES, [now]);
  }

  /** Those first whose statements are the oldest. @param today `YYYY-MM-DD` */
  lastStatements(today: string, limit: number): Promise<LastStatement[]> {
    return this.database.query<LastStatement>(LAST_STATEMENTS, [today, limit]);
  }

  /** Places where a statement is missing, the newest first. @param since the first day that is looked at */
  gaps(since: string, limit: number): Promise<StatementGap[]> {
    return this.database.query<StatementGap>(GAPS, [since, limit]);
  }

  /** Live accounts of which no statement tells of `day`, and nobody was told. */
  missing(today: string, day: string, limit: number): Promise<MissingStatement[]> {
    return this.database.query<MissingStatement>(MISSING, [today, day, limit]);
  }

  /** @returns false when somebody was told meanwhile */
  async tell(tx: EntityManager, { id, lastDay }: MissingStatement): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(TELL, [id, lastDay]);
    return rows.length === 1;
  }
}
