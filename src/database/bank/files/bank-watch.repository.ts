import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../../database.js';
import type { Mode } from '../../merchants/api-key.entity.js';
import { UNKNOWN_MONEY_OUT, IS_WAITING } from '../lines/waiting-lines.js';

const WAITING_LINES: Statement = {
  name: 'bank_lines_waiting',
  text: `SELECT mode, CASE WHEN ${UNKNOWN_MONEY_OUT} THEN 'unknown_money_out' ELSE state END AS state,
      count(*)::integer AS lines,
      greatest(extract(epoch FROM $1::timestamptz - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM bank_lines WHERE ${IS_WAITING} GROUP BY 1, 2`,
};

/**
 * The last day until `$1` that a statement covers; before the first statement, the day on which the account was added.
 * Later days are ignored: a future date written by mistake would hide missing statements.
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
    ) c WHERE "lastDay" < $2 AND missing_notified_after::text IS DISTINCT FROM "lastDay" ORDER BY id LIMIT $3`,
};

const MARK_NOTIFIED = `UPDATE collection_accounts SET missing_notified_after = $2
  WHERE id = $1 AND disabled_at IS NULL AND missing_notified_after IS DISTINCT FROM $2 RETURNING 1`;

/**
 * Statements since `$1` whose opening balance differs from the closing balance of the previous statement. A statement
 * imported later may fill the gap.
 */
const GAPS: Statement = {
  name: 'bank_statement_gaps',
  text: `WITH statements AS (
      SELECT id, mode, account, currency, opening_balance, closing_balance, covers_from, covers_until
      FROM bank_statements WHERE covers_until >= $1::date
    ), ends AS (
      SELECT s.*, (SELECT max(p.covers_until) FROM statements p WHERE p.mode = s.mode
        AND p.account = s.account AND p.currency = s.currency AND p.covers_until < s.covers_from
        AND p.closing_balance IS NOT NULL) AS last_day
      FROM statements s WHERE s.opening_balance IS NOT NULL
    )
    SELECT s.mode, s.account, s.currency, s.last_day::text AS "lastDay", s.covers_from::text AS "nextDay"
    FROM ends s WHERE s.last_day IS NOT NULL AND NOT EXISTS (
      SELECT FROM statements p WHERE p.mode = s.mode AND p.account = s.account AND p.currency = s.currency
        AND p.id <> s.id AND p.closing_balance = s.opening_balance
        AND p.covers_until BETWEEN s.last_day AND s.covers_from)
    GROUP BY s.mode, s.account, s.currency, s.last_day, s.covers_from
    ORDER BY s.covers_from DESC, s.mode, s.account LIMIT $2`,
};

/** A gap between two statements of an account: the second does not start where the first ended. */
export interface StatementGap {
  readonly mode: Mode;
  readonly account: string;
  readonly currency: string;
  /** Last day before the gap, `YYYY-MM-DD`. */
  readonly lastDay: string;
  /** First day after the gap. */
  readonly nextDay: string;
}

/** States of lines that need attention. */
export const WAITING_STATES = ['suggested', 'unmatched', 'unknown_money_out'] as const;

/** Lines that need attention. */
export interface WaitingLines {
  readonly mode: Mode;
  readonly state: (typeof WAITING_STATES)[number];
  readonly lines: number;
  /** Age of the oldest one. */
  readonly oldestSeconds: number;
}

/** The last day covered by the statements of an active collection account. */
export interface LastStatement {
  /** Id of the collection account. */
  readonly id: string;
  readonly mode: Mode;
  readonly currency: string;
  readonly account: string;
  /** `YYYY-MM-DD` */
  readonly lastDay: string;
}

export type MissingStatement = Omit<LastStatement, 'mode'>;

/** Monitors the platform's bank accounts: lines that need attention, and missing statements. */
@Injectable()
export class BankWatchRepository {
  constructor(private readonly database: Database) {}

  waiting(now: Date): Promise<WaitingLines[]> {
    return this.database.query<WaitingLines>(WAITING_LINES, [now]);
  }

  /** Sorted by last covered day, oldest first. */
  lastStatements(today: string, limit: number): Promise<LastStatement[]> {
    return this.database.query<LastStatement>(LAST_STATEMENTS, [today, limit]);
  }

  /** Gaps between statements, newest first. @param since the first day that is checked */
  gaps(since: string, limit: number): Promise<StatementGap[]> {
    return this.database.query<StatementGap>(GAPS, [since, limit]);
  }

  /** Active live accounts whose statements do not cover `day` and whose operators were not notified yet. */
  missing(today: string, day: string, limit: number): Promise<MissingStatement[]> {
    return this.database.query<MissingStatement>(MISSING, [today, day, limit]);
  }

  /** Marks the operators as notified. @returns false when a concurrent call did so */
  async markNotified(tx: EntityManager, { id, lastDay }: MissingStatement): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(MARK_NOTIFIED, [id, lastDay]);
    return rows.length === 1;
  }
}
