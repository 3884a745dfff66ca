import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database.js';
import { EXPORT_IS_DUE } from '../exports/export.statements.js';
import { MAIL_IS_DUE, WEBHOOK_IS_DUE } from '../notifications/delivery-claim.statements.js';

/** A task runs at least this often, also when a wake-up was lost. */
const PERIOD = '1 minute';

/**
 * A time far beyond the period comes from a clock that was ahead: without this rule the task would rest until then. The
 * second period is for transactions that began before the one that claimed the task.
 */
const IS_DUE = `(due_at <= now() OR due_at > now() + 2 * interval '${PERIOD}')`;

const INSERT: Statement = {
  name: 'jobs_insert',
  text: `INSERT INTO jobs (name, due_at) SELECT name, now() + interval '${PERIOD}' FROM unnest($1::text[]) AS name
    ON CONFLICT DO NOTHING`,
};

/** One question for all background work, so that an idle process asks no other. */
const DUE: Statement = {
  name: 'jobs_due',
  text: `SELECT ARRAY (SELECT name FROM jobs WHERE ${IS_DUE} AND name = ANY ($2)) AS jobs,
    ${WEBHOOK_IS_DUE} AS webhooks, ${MAIL_IS_DUE} AS mails, ${EXPORT_IS_DUE} AS exports`,
};

const CLAIM: Statement = {
  name: 'jobs_claim',
  text: `UPDATE jobs SET due_at = now() + interval '${PERIOD}'
    WHERE name IN (SELECT name FROM jobs WHERE ${IS_DUE} AND name = ANY ($1) FOR UPDATE SKIP LOCKED)
    RETURNING name`,
};

const WAKE: Statement = {
  name: 'jobs_wake',
  text: 'UPDATE jobs SET due_at = $2 WHERE name = $1 AND due_at > $2',
};

const OVERDUE: Statement = {
  name: 'jobs_overdue',
  text: `SELECT name, extract(epoch FROM now() - due_at)::float8 AS "seconds"
    FROM jobs WHERE due_at <= now() AND name = ANY ($1) ORDER BY due_at`,
};

export interface OverdueJob {
  readonly name: string;
  /** Time since it was due. */
  readonly seconds: number;
}

/** A queue that a worker of its own claims from. */
export type Queue = 'webhooks' | 'mails' | 'exports';

/** Names of the due jobs, and whether each queue has due work. */
export type DueWork = Record<Queue, boolean> & { readonly jobs: readonly string[] };

/** When each background task is due. */
@Injectable()
export class JobRepository {
  constructor(private readonly database: Database) {}

  async insert(names: readonly string[]): Promise<void> {
    await this.database.query(INSERT, [names]);
  }

  /**
   * @param now time of this process, for the queues
   * @param names the jobs that this process could run now
   */
  async due(now: Date, names: readonly string[]): Promise<DueWork> {
    const [due] = await this.database.query<DueWork>(DUE, [now, names]);
    return due!;
  }

  /** Claims the due tasks among `names`, and makes them due again a minute later. @returns their names */
  async claim(names: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(CLAIM, [names]);
    return rows.map(({ name }) => name);
  }

  /** Makes a task due at `at` unless it is due earlier. */
  async wake(name: string, at: Date): Promise<void> {
    await this.database.query(WAKE, [name, at]);
  }

  /** Due tasks that no process has claimed, longest overdue first. */
  overdue(names: readonly string[]): Promise<OverdueJob[]> {
    return this.database.query<OverdueJob>(OVERDUE, [names]);
  }
}
