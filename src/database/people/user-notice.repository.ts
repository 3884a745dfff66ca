import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueAtOnce, dueBy, LEASE, LONGEST_RETRY } from '../due.js';
import type { LimitedRepository } from '../limited-repository.js';
import { lockMerchant } from '../lock-merchant.js';
import { columnsOf } from '../entity-sql.js';
import { USER_NOTICE_KINDS, UserNotice } from './user-notice.entity.js';

const DUE = ['id', 'kind', 'data', 'createdAt', 'attempts', 'merchantId'] as const;

/** A due mail with its recipient. */
export interface DueUserNotice extends Pick<UserNotice, (typeof DUE)[number]> {
  readonly email: string;
  /** IANA name; UTC when it is about the account only. */
  readonly timeZone: string;
}

/** Other kinds are sent by processes of the version that queued them. */
const KNOWN = `kind IN (${USER_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** Alternates between merchants and users. Few mails wait in total. */
const CLAIM: Statement = {
  name: 'user_notice_claim',
  text: `WITH waiting AS (
      SELECT id, row_number() OVER (PARTITION BY coalesce(merchant_id, user_id)
        ORDER BY next_attempt_at) AS place
      FROM user_notices WHERE next_attempt_at <= $1 AND ${KNOWN}
    ), due AS (
      SELECT n.id FROM user_notices n JOIN waiting w ON w.id = n.id WHERE n.next_attempt_at <= $1
      ORDER BY w.place, random() LIMIT $3 FOR UPDATE OF n SKIP LOCKED
    ), taken AS (
      UPDATE user_notices n SET next_attempt_at = ${dueBy('$2', LEASE)}, attempts = n.attempts + 1
      FROM due WHERE n.id = due.id RETURNING n.*
    )
    SELECT ${columnsOf('t', UserNotice, DUE)},
      u.email, coalesce(m.time_zone, 'UTC') AS "timeZone"
    FROM taken t JOIN users u ON u.id = t.user_id LEFT JOIN merchants m ON m.id = t.merchant_id`,
};

const LATER: Statement = {
  name: 'user_notice_later',
  text: `UPDATE user_notices SET next_attempt_at = ${dueBy('$2', LONGEST_RETRY)}
    WHERE id = $1 AND next_attempt_at IS NOT NULL`,
};

const PURGE: Statement = {
  name: 'user_notice_purge',
  text: `DELETE FROM user_notices WHERE id IN (
      SELECT id FROM user_notices WHERE id < $1 AND next_attempt_at IS NULL ORDER BY id LIMIT $2)`,
};

/** Queue of security notifications to users. */
@Injectable()
export class UserNoticeRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserNotice) private readonly notices: LimitedRepository<UserNotice>,
  ) {}

  async insert(tx: EntityManager, notices: readonly UserNotice[]): Promise<void> {
    const rows = notices.map((notice) => ({
      ...notice,
      nextAttemptAt: dueAtOnce(notice.createdAt),
    }));
    if (rows.length > 0) await tx.insert(UserNotice, rows);
  }

  /**
   * Counts a merchant's notifications since then. Locks the merchant until the transaction ends, so that concurrent
   * counts wait.
   */
  async count(
    tx: EntityManager,
    { merchantId, kind }: Pick<UserNotice, 'kind'> & { readonly merchantId: string },
    since: Date,
  ): Promise<number> {
    await lockMerchant(tx, merchantId);
    return tx.countBy(UserNotice, { merchantId, kind, createdAt: MoreThan(since) });
  }

  /** Counts the user's notifications since then. */
  countToUser(
    tx: EntityManager,
    { userId, kind }: Pick<UserNotice, 'userId' | 'kind'>,
    since: Date,
  ): Promise<number> {
    return tx.countBy(UserNotice, { userId, kind, createdAt: MoreThan(since) });
  }

  /** Claims due mails; no other process claims them before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<DueUserNotice[]> {
    return this.database.query(CLAIM, [now, leaseUntil, limit]);
  }

  /** @param sentAt null when the mail is given up */
  async done({ id }: DueUserNotice, sentAt: Date | null): Promise<void> {
    await this.notices.update({ id }, { nextAttemptAt: null, sentAt });
  }

  async tryLater({ id }: DueUserNotice, nextAttemptAt: Date): Promise<void> {
    await this.database.query(LATER, [id, nextAttemptAt]);
  }

  /** Deletes finished ones. @param beforeId the lowest id that is kept */
  async purge(beforeId: string, limit: number): Promise<void> {
    await this.database.query(PURGE, [beforeId, limit]);
  }
}
