import { Injectable } from '@nestjs/common';
import { type EntityManager, In, MoreThanOrEqual } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { violatedCheck } from '../faults.js';
import { lockMerchant } from '../lock-merchant.js';
import { idAt } from '../ids.js';
import { AuditEntry } from './audit-entry.entity.js';

/** An entry as it is read: with who it was. */
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

/** The session in which something was done has ended meanwhile: it is not done. */
export class SessionEndedError extends Error {
  constructor() {
    super('the session has ended');
    this.name = 'SessionEndedError';
  }
}

/** What people did in the portal. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** @throws SessionEndedError */
  async insert(tx: EntityManager, entry: AuditEntry): Promise<void> {
    await tx.insert(AuditEntry, entry as never).catch((error: unknown) => {
      throw violatedCheck(error) === 'audit_entries_session' ? new SessionEndedError() : error;
    });
  }

  /** How often a merchant's people or programs did one of these things since then; nobody else counts meanwhile. */
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

  /** A page of a merchant's entries, or of all (null); the newest first, those before `before`. */
  page(merchantId: string | null, before: string | null, limit: number): Promise<ReadEntry[]> {
    return this.database.query(PAGE, [merchantId, before, limit]);
  }
}
