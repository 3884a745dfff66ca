import { Injectable } from '@nestjs/common';
import { type EntityManager, MoreThan } from 'typeorm';
import { Database, type Statement } from '../../database.js';
import { columnsOf } from '../../entity-sql.js';
import { CollectionAccountChange } from './collection-account-change.entity.js';

const COLUMNS = columnsOf('c', CollectionAccountChange);

/** Limit for a page or a run; far above the number of changes that are ever open. */
const OPEN_MAX = 200;

const OPEN = 'c.applied_at IS NULL AND c.withdrawn_at IS NULL';

const CONFIRM = `UPDATE collection_account_changes c SET confirmed_by = $2, confirmed_at = $3
  WHERE c.id = $1 AND c.confirmed_at IS NULL AND ${OPEN} RETURNING ${COLUMNS}`;

const WITHDRAW = `UPDATE collection_account_changes c SET withdrawn_by = $2, withdrawn_at = $3
  WHERE c.id = $1 AND ${OPEN} RETURNING ${COLUMNS}`;

const APPLY = `UPDATE collection_account_changes c SET applied_at = $2
  WHERE c.id = $1 AND c.effective_at <= $2 AND ${OPEN} RETURNING ${COLUMNS}`;

const isOperator = (column: string): string => `EXISTS (SELECT FROM users u
  WHERE u.id = ${column} AND u.platform_role = 'operator' AND u.disabled_at IS NULL)`;

/** Why a change can never take effect, regardless of confirmation and waiting. */
const BLOCKED = `CASE
  WHEN c.proposed_by IS NULL AND c.confirmed_by IS NULL AND lone_operator_since() IS NULL THEN 'operator'
  WHEN NOT (c.proposed_by IS NULL OR ${isOperator('c.proposed_by')}) THEN 'proposer'
  WHEN NOT (c.confirmed_by IS NULL OR ${isOperator('c.confirmed_by')}) THEN 'confirmer'
  WHEN c.kind <> 'add' AND NOT EXISTS (SELECT FROM collection_accounts a
    WHERE a.id = c.account_id AND a.disabled_at IS NULL) THEN 'account' END`;

const LIST: Statement = {
  name: 'collection_account_changes_open',
  text: `SELECT ${COLUMNS},
      p.name AS "proposedByName", w.name AS "confirmedByName", ${BLOCKED} AS blocked,
      CASE WHEN collection_account_change_waits(c) THEN r.waiting_hours ELSE 0 END AS "waitingHours",
      lone_operator_since() IS NOT NULL AS "isAlone"
    FROM collection_account_changes c
    LEFT JOIN users p ON p.id = c.proposed_by LEFT JOIN users w ON w.id = c.confirmed_by
    CROSS JOIN operating_rules r
    WHERE ${OPEN} ORDER BY c.id LIMIT $1`,
};

/** By the process's and the database's clock: the database rejects a change that is early by either. */
const DUE: Statement = {
  name: 'collection_account_changes_due',
  text: `SELECT c.id FROM collection_account_changes c
    WHERE ${OPEN} AND c.effective_at <= least($1, now()) AND ${BLOCKED} IS NULL
    ORDER BY c.effective_at, c.id LIMIT $2`,
};

const WAITING: Statement = {
  name: 'collection_account_changes_waiting',
  text: `SELECT count(*) FILTER (WHERE c.confirmed_at IS NULL)::integer AS proposed,
      count(c.confirmed_at)::integer AS confirmed
    FROM collection_account_changes c WHERE ${OPEN}`,
};

/** An open change: neither applied nor withdrawn. */
export interface OpenChange extends CollectionAccountChange {
  readonly proposedByName: string | null;
  readonly confirmedByName: string | null;
  /** Why it can never take effect; it can only be withdrawn. */
  readonly blocked: 'operator' | 'proposer' | 'confirmer' | 'account' | null;
  /** Waiting period from the confirmation, in hours; 0 = it takes effect immediately. */
  readonly waitingHours: number;
  /** There is only one operator, so the proposer may confirm it. */
  readonly isAlone: boolean;
}

export interface WaitingChanges {
  /** Not confirmed yet. */
  readonly proposed: number;
  /** Confirmed, in the waiting period. */
  readonly confirmed: number;
}

/** Stores changes of live collection accounts. */
@Injectable()
export class CollectionAccountChangeRepository {
  constructor(private readonly database: Database) {}

  /** Serializes changes, so that each decision sees the previous ones. */
  async lock(tx: EntityManager): Promise<void> {
    await tx.query('LOCK TABLE collection_account_changes IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Counts the user's proposals since then. */
  countProposed(tx: EntityManager, userId: string, since: Date): Promise<number> {
    return tx.countBy(CollectionAccountChange, {
      proposedBy: userId,
      proposedAt: MoreThan(since),
    });
  }

  /**
   * @throws a unique violation of `collection_account_changes_once` or `…_add_once` when the same change is open; a
   * check violation of `…_operator` when the proposer is no operator, of `…_of_account` when the account differs from
   * the change
   */
  async insert(tx: EntityManager, change: CollectionAccountChange): Promise<void> {
    await tx.insert(CollectionAccountChange, change);
  }

  /**
   * @returns null when the change does not wait for confirmation
   * @throws a check violation of `collection_account_changes_operator`, `…_second_person`
   */
  confirm(
    tx: EntityManager,
    id: string,
    userId: string,
    now: Date,
  ): Promise<CollectionAccountChange | null> {
    return this.change(tx, CONFIRM, [id, userId, now]);
  }

  /** @returns null when the change is applied or withdrawn */
  withdraw(
    tx: EntityManager,
    id: string,
    userId: string,
    now: Date,
  ): Promise<CollectionAccountChange | null> {
    return this.change(tx, WITHDRAW, [id, userId, now]);
  }

  /** A trigger updates the account. @returns null when it is no longer due */
  apply(tx: EntityManager, id: string, now: Date): Promise<CollectionAccountChange | null> {
    return this.change(tx, APPLY, [id, now]);
  }

  /** Oldest first. */
  listOpen(): Promise<OpenChange[]> {
    return this.database.query<OpenChange>(LIST, [OPEN_MAX]);
  }

  /** Ids of changes whose waiting period is over and that nothing blocks, earliest first. */
  async listDue(now: Date): Promise<string[]> {
    const due = await this.database.query<{ id: string }>(DUE, [now, OPEN_MAX]);
    return due.map(({ id }) => id);
  }

  async waiting(): Promise<WaitingChanges> {
    const [waiting] = await this.database.query<WaitingChanges>(WAITING, []);
    return waiting!;
  }

  private async change(
    tx: EntityManager,
    sql: string,
    values: readonly unknown[],
  ): Promise<CollectionAccountChange | null> {
    const [rows] = await tx.query<[CollectionAccountChange[], number]>(sql, [...values]);
    return rows[0] ?? null;
  }
}
