import { Injectable } from '@nestjs/common';
import { type EntityManager, In, MoreThanOrEqual } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { violatedCheck } from '../faults.js';
import { lockMerchant } from '../lock-merchant.js';
import { idAt } from '../ids.js';
import { AuditEntry } from './audit-entry.entity.js';

/** An entry with its user's name and address. */
export interface ReadEntry extends Omit<AuditEntry, 'userId' | 'sessionId'> {
  readonly userName: string | null;
  readonly userEmail: string | null;
}

const PAGE: Statement = {
  name: 'audit_page',
  text: `SELECT a.id, a.merchant_id AS "merchantId", a.action, a.subject, a.data, a.address,
      a.created_at AS "createdAt", u.name AS "userName", u.email AS "userEmail"
    FROM audit_entries a LEFT JOIN users u ON u.id = a.user_id
    WHERE ($1::uuid IS NULL OR a.merchant_id = $1) AND ($2::uuid IS NULL OR a.id < $2)
    ORDER BY a.id DESC LIMIT $3`,
};

/** The session ended before the action was stored: the action is rolled back. */
export class SessionEndedError extends Error {
  constructor() {
    super('the session has ended');
    this.name = 'SessionEndedError';
  }
}

/** Stores the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** @throws SessionEndedError when the session of the entry has ended */
  async insert(tx: EntityManager, entry: AuditEntry): Promise<void> {
    await tx.insert(AuditEntry, entry as never).catch((error: unknown) => {
      throw violatedCheck(error) === 'audit_entries_session' ? new SessionEndedError() : error;
    });
  }

  /** Counts a merchant's entries of these actions since then. Locks the merchant, so that concurrent counts wait. */
  async count(
    tx: EntityManager,
    merchantId: string,
    actions: readonly string[],
    since: Date,
  ): Promise<number> {
    await lockMerchant(tx, merchantId);
    const id = MoreThanOrEqual(idAt(since));
    return tx.countBy(AuditEntry, { merchantId, action: In(actions), id });
  }

  /** A page of one merchant's entries, or of all (null): newest first, before `before`. */
  page(merchantId: string | null, before: string | null, limit: number): Promise<ReadEntry[]> {
    return this.database.query(PAGE, [merchantId, before, limit]);
  }
}
