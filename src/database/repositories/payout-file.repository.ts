import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { Mode } from '../entities/api-key.entity.js';
import { PayoutFile } from '../entities/payout-file.entity.js';
import { columnsOf } from '../rows.js';

/** A file without its content, and who made it. */
export type ListedFile = Omit<PayoutFile, 'content'> & { readonly createdByName: string };

const LIST: Statement = {
  name: 'payout_file_list',
  text: `SELECT ${columnsOf('f', [
    'id',
    'mode',
    'currency',
    'format',
    'message_id',
    'sha256',
    'payouts',
    'amount',
    'created_by',
    'created_at',
    'not_sent_at',
  ])}, u.name AS "createdByName"
    FROM payout_files f JOIN users u ON u.id = f.created_by
    WHERE f.mode = $1 AND ($2::uuid IS NULL OR f.id < $2) ORDER BY f.id DESC LIMIT $3`,
};

const NOT_SENT = `UPDATE payout_files SET not_sent_at = $2
  WHERE id = $1 AND not_sent_at IS NULL RETURNING id`;

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

  /** The newest first, those made before `before`. */
  list(mode: Mode, before: string | null, limit: number): Promise<ListedFile[]> {
    return this.database.query(LIST, [mode, before, limit]);
  }

  /** @returns false when somebody has said so before */
  async notSent(tx: EntityManager, id: string, now: Date): Promise<boolean> {
    const [, count] = await tx.query<[unknown[], number]>(NOT_SENT, [id, now]);
    return count === 1;
  }
}
