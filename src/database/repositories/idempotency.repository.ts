import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { IdempotencyRecord } from '../entities/idempotency-record.entity.js';
import type { Owner, RememberedAnswer } from './order.repository.js';

const FIND: Statement = {
  name: 'idempotency_find',
  text: `SELECT content_hash AS "contentHash", api_version AS "apiVersion", status, body
    FROM idempotency_records WHERE merchant_id = $1 AND mode = $2 AND route = $3 AND key = $4`,
};

const REMEMBER = `INSERT INTO idempotency_records
    (merchant_id, mode, route, key, content_hash, txid, api_version, status, body, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`;

const PURGE: Statement = {
  name: 'idempotency_purge',
  text: `DELETE FROM idempotency_records WHERE (merchant_id, mode, route, key) IN
    (SELECT merchant_id, mode, route, key FROM idempotency_records WHERE created_at < $1 LIMIT $2)`,
};

type Remembered = Pick<IdempotencyRecord, 'contentHash' | 'apiVersion' | 'status' | 'body'>;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async find(owner: Owner, route: string, key: string): Promise<Remembered | null> {
    const values = [owner.merchantId, owner.mode, route, key];
    return (await this.database.query<Remembered>(FIND, values))[0] ?? null;
  }

  /** Keeps the answer, unless one is kept under the key already. */
  async remember(
    tx: EntityManager,
    owner: Owner,
    txid: string,
    answer: RememberedAnswer,
    now: Date,
  ): Promise<void> {
    await tx.query(REMEMBER, [
      owner.merchantId,
      owner.mode,
      answer.route,
      answer.key,
      answer.contentHash,
      txid,
      answer.apiVersion,
      answer.status,
      answer.body,
      now,
    ]);
  }

  /** Forgets records made before `before`, at most `limit` of them. */
  async purge(before: Date, limit: number): Promise<void> {
    await this.database.query(PURGE, [before, limit]);
  }
}
