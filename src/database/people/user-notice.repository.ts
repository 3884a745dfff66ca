import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { dueAtOnce, dueBy, LEASE, LONGEST_RETRY } from '../due.js';
import type { GatedRepository } from '../gated-repository.js';
import { lockMerchant } from '../lock-merchant.js';
import { columnsOf } from '../entity-sql.js';
import { USER_NOTICE_KINDS, UserNotice } from './user-notice.entity.js';

const DUE = ['id', 'kind', 'data', 'createdAt', 'attempts', 'merchantId'] as const;

/** A mail that is due, with whom it goes to. */
export interface DueUserNotice extends Pick<UserNotice, (typeof DUE)[number]> {
  readonly email: string;
  /** IANA name; UTC for what concerns the account alone. */
  readonly timeZone: string;
}

/** Whoever wrote other kinds sends them. */
const KNOWN = `kind IN (${USER_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;

/** Merchants take turns, with the accounts of people; few wait in all. */
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

/** Mails to people about the safety of their accounts and merchants. */
@Injectable()
export class UserNoticeRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserNotice) private readonly notices: GatedRepository<UserNotice>,
  ) {}

  async insert(tx: EntityManager, notices: readonly UserNotice[]): Promise<void> {
    const rows = notices.map((notice) => ({
      ...notice,
      nextAttemptAt: dueAtOnce(notice.createdAt),
    }));
    if (rows.length > 0) await tx.insert(UserNotice, rows);
  }

  /** How many a merchant's people were sent since then; nobody else counts until the transaction ends. */
  async count(
    tx: EntityManager,
    { merchantId, kind }: Pick<UserNotice, 'kind'> & { readonly merchantId: string },
    since: Date,
  ): Promise<number> {
    await lockMerchant(tx, merchantId);
    return tx.countBy(UserNotice, { merchantId, kind, createdAt: MoreThan(since) });
  }

  /** How many the user was sent since then. */
  countToUser(
    tx: EntityManager,
    { userId, kind }: Pick<UserNotice, 'userId' | 'kind'>,
    since: Date,
  ): Promise<number> {
    return tx.countBy(UserNotice, { userId, kind, createdAt: MoreThan(since) });
  }

  /** Takes mails that are due; nobody else takes them before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<DueUserNotice[]> {
    return this.database.query(CLAIM, [now, leaseUntil, limit]);
  }

  /** @param sentAt null when the mail will never leave */
  async done({ id }: DueUserNotice, sentAt: Date | null): Promise<void> {
    await this.notices.update({ id }, { nextAttemptAt: null, sentAt });
  }

  async tryLater({ id }: DueUserNotice, nextAttemptAt: Date): Promise<void> {
    await this.database.query(LATER, [id, nextAttemptAt]);
  }

  /** Those that are over. @param beforeId the lowest id that stays */
  async purge(beforeId: string, limit: number): Promise<void> {
    await this.database.query(PURGE, [beforeId, limit]);
  }
}
