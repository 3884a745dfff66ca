import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { IdempotencyRecord } from './idempotency-record.entity.js';
import type { RememberedAnswer } from './order-insert-row.js';
import type { Owner } from '../keys.js';

const FIND: Statement = {
  name: 'idempotency_find',
  text: `SELECT content_hash AS "contentHash", txid, api_version AS "apiVersion", status, body
    FROM idempotency_records WHERE merchant_id = $1 AND mode = $2 AND route = $3 AND key = $4`,
};

const CLAIM: Statement = {
  name: 'idempotency_claim',
  text: `INSERT INTO idempotency_records
      (merchant_id, mode, route, key, content_hash, txid, created_at)
    SELECT merchant_id, mode, $4, $5, $6, txid, $7 FROM orders
    WHERE merchant_id = $1 AND mode = $2 AND txid = $3
    ON CONFLICT DO NOTHING`,
};

const REMEMBER: Statement = {
  name: 'idempotency_remember',
  text: `INSERT INTO idempotency_records AS record
      (merchant_id, mode, txid, route, key, content_hash, created_at, api_version, status, body)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (merchant_id, mode, route, key) DO UPDATE
      SET api_version = $8, status = $9, body = $10 WHERE record.status IS NULL`,
};

const PURGE: Statement = {
  name: 'idempotency_purge',
  text: `DELETE FROM idempotency_records WHERE (merchant_id, mode, route, key) IN
    (SELECT merchant_id, mode, route, key FROM idempotency_records WHERE created_at < $1
      ORDER BY created_at LIMIT $2)
    RETURNING 1`,
};

const keyed = (owner: Owner, txid: string, request: KeyedRequest, now: Date): unknown[] => [
  owner.merchantId,
  owner.mode,
  txid,
  request.route,
  request.key,
  request.contentHash,
  now,
];

const answered = (owner: Owner, txid: string, answer: RememberedAnswer, now: Date): unknown[] => [
  ...keyed(owner, txid, answer, now),
  answer.apiVersion,
  answer.status,
  answer.body,
];

type KeyedRequest = Pick<RememberedAnswer, 'route' | 'key' | 'contentHash'>;
type Remembered = Pick<
  IdempotencyRecord,
  'contentHash' | 'txid' | 'apiVersion' | 'status' | 'body'
>;

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  async find(owner: Owner, route: string, key: string): Promise<Remembered | null> {
    const values = [owner.merchantId, owner.mode, route, key];
    return (await this.database.query<Remembered>(FIND, values))[0] ?? null;
  }

  /** The same within the transaction, under its lock. */
  async findIn(
    tx: EntityManager,
    owner: Owner,
    route: string,
    key: string,
  ): Promise<Remembered | null> {
    const rows: Remembered[] = await tx.query(FIND.text, [
      owner.merchantId,
      owner.mode,
      route,
      key,
    ]);
    return rows[0] ?? null;
  }

  /** Claims the key for a request, if the order exists and the key is free. */
  async claim(owner: Owner, txid: string, request: KeyedRequest, now: Date): Promise<void> {
    await this.database.query(CLAIM, keyed(owner, txid, request, now));
  }

  /** Stores the response, unless the key has one. */
  async remember(owner: Owner, txid: string, answer: RememberedAnswer, now: Date): Promise<void> {
    await this.database.query(REMEMBER, answered(owner, txid, answer, now));
  }

  /** The same, atomically with the transaction. */
  async rememberIn(
    tx: EntityManager,
    owner: Owner,
    txid: string,
    answer: RememberedAnswer,
    now: Date,
  ): Promise<void> {
    await tx.query(REMEMBER.text, answered(owner, txid, answer, now));
  }

  /**
   * Deletes records created before `before`, at most `limit`.
   * @returns the number of deleted records
   */
  async purge(before: Date, limit: number): Promise<number> {
    return (await this.database.query(PURGE, [before, limit])).length;
  }
}
