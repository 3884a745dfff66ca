import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../database.js';
import { PayoutFile } from '../entities/payout-file.entity.js';

const NOT_SENT = `UPDATE payout_files SET not_sent_at = $2
  WHERE id = $1 AND not_sent_at IS NULL RETURNING id`;

const IS_DOWNLOADED = `SELECT EXISTS (SELECT FROM audit_entries WHERE merchant_id IS NULL
  AND subject = $1 AND action = 'payout-file.downloaded') AS found`;

/** Files for the bank. */
@Injectable()
export class PayoutFileRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: EntityManager, file: PayoutFile): Promise<void> {
    await tx.insert(PayoutFile, file);
  }

  find(id: string): Promise<PayoutFile | null> {
    return this.database.entities((manager) => manager.findOneBy(PayoutFile, { id }));
  }

  /** @returns false when somebody has said so before */
  async notSent(tx: EntityManager, id: string, now: Date): Promise<boolean> {
    const [, count] = await tx.query<[unknown[], number]>(NOT_SENT, [id, now]);
    return count === 1;
  }

  /** Whether somebody has the file, as the audit log tells. The caller holds its lock. */
  async isDownloaded(tx: EntityManager, id: string): Promise<boolean> {
    const [{ found }] = await tx.query<[{ found: boolean }]>(IS_DOWNLOADED, [id]);
    return found;
  }
}
