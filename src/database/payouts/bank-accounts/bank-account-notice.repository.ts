import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../../database.js';
import { dueBy, LEASE, LONGEST_RETRY } from '../../due.js';
import type { LimitedRepository } from '../../limited-repository.js';
import { OWNERS_SINCE } from '../../people/membership.repository.js';
import { columnsOf } from '../../entity-sql.js';
import { BankAccountNotice } from './bank-account-notice.entity.js';
import { BankAccount } from './bank-account.entity.js';

type NoticeKey = Pick<BankAccountNotice, 'merchantId' | 'bankAccountId' | 'userId'>;

/** A due mail with its data. */
export interface DueNotice
  extends NoticeKey, Pick<BankAccountNotice, 'attempts'>, Pick<BankAccount, 'mode' | 'iban'> {
  readonly email: string;
  readonly timeZone: string;
}

const INSERT = `
  INSERT INTO bank_account_notices (merchant_id, bank_account_id, user_id, next_attempt_at)
  SELECT $1, $3, o."userId", ${dueBy('$4')} FROM (${OWNERS_SINCE}) o`;

/**
 * Alternates between merchants, live before test: thousands of mails of one merchant do not delay others. The total is
 * small, as few accounts are added per day.
 */
const CLAIM: Statement = {
  name: 'bank_account_notice_claim',
  text: `WITH waiting AS (
      SELECT n.merchant_id, n.bank_account_id, n.user_id, b.mode,
        row_number() OVER (PARTITION BY n.merchant_id, b.mode ORDER BY n.next_attempt_at) AS place
      FROM bank_account_notices n
      JOIN bank_accounts b ON b.merchant_id = n.merchant_id AND b.id = n.bank_account_id
      WHERE n.next_attempt_at <= $1
    ), due AS (
      SELECT n.merchant_id, n.bank_account_id, n.user_id
      FROM bank_account_notices n JOIN waiting w USING (merchant_id, bank_account_id, user_id)
      WHERE n.next_attempt_at <= $1
      ORDER BY w.mode <> 'live', w.place, random()
      LIMIT $3 FOR UPDATE OF n SKIP LOCKED
    ), taken AS (
      UPDATE bank_account_notices n SET next_attempt_at = ${dueBy('$2', LEASE)}, attempts = n.attempts + 1 FROM due d
      WHERE n.merchant_id = d.merchant_id AND n.bank_account_id = d.bank_account_id
        AND n.user_id = d.user_id
      RETURNING n.*
    )
    SELECT ${columnsOf('t', BankAccountNotice, ['merchantId', 'bankAccountId', 'userId', 'attempts'])},
      ${columnsOf('b', BankAccount, ['mode', 'iban'])}, u.email, m.time_zone AS "timeZone"
    FROM taken t
    JOIN bank_accounts b ON b.merchant_id = t.merchant_id AND b.id = t.bank_account_id
    JOIN merchants m ON m.id = t.merchant_id
    JOIN users u ON u.id = t.user_id`,
};

const LATER: Statement = {
  name: 'bank_account_notice_later',
  text: `UPDATE bank_account_notices SET next_attempt_at = ${dueBy('$4', LONGEST_RETRY)}
    WHERE merchant_id = $1 AND bank_account_id = $2 AND user_id = $3
      AND next_attempt_at IS NOT NULL`,
};

/** Queue of mails to owners about new bank accounts. */
@Injectable()
export class BankAccountNoticeRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(BankAccountNotice)
    private readonly notices: LimitedRepository<BankAccountNotice>,
  ) {}

  /** Queues a mail to each current owner, and each former one since `since`. */
  async insert(
    tx: EntityManager,
    { merchantId, id, createdAt }: BankAccount,
    since: Date,
  ): Promise<void> {
    await tx.query(INSERT, [merchantId, since, id, createdAt]);
  }

  /** Claims due mails; no other process claims them before `leaseUntil`. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<DueNotice[]> {
    return this.database.query(CLAIM, [now, leaseUntil, limit]);
  }

  /** @param sentAt null when the mail is given up */
  async done(notice: DueNotice, sentAt: Date | null): Promise<void> {
    const { merchantId, bankAccountId, userId } = notice;
    const sent = { nextAttemptAt: null, sentAt };
    await this.notices.update({ merchantId, bankAccountId, userId }, sent);
  }

  async tryLater(notice: DueNotice, nextAttemptAt: Date): Promise<void> {
    const { merchantId, bankAccountId, userId } = notice;
    const values = [merchantId, bankAccountId, userId, nextAttemptAt];
    await this.database.query(LATER, values);
  }
}
