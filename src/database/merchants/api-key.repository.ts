import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThan } from 'typeorm';
import { Database, type Statement } from '../database.js';
import type { LimitedRepository } from '../limited-repository.js';
import type { Batcher } from '../../overload/batcher.js';
import { lockMerchant } from '../lock-merchant.js';
import { gatheredLookup, lookup } from '../lookup.js';
import { bytea } from '../values.js';
import type { Owner } from '../keys.js';
import { ApiKey } from './api-key.entity.js';

/** Limit above the maximum number of usable keys. */
const LISTED_MAX = 200;

/** A key with the merchant's data that every request needs. */
export type KeyRecord = Pick<
  ApiKey,
  'merchantId' | 'id' | 'mode' | 'scopes' | 'apiVersion' | 'allowedIps' | 'expiresAt' | 'lastUsedAt'
> & {
  /** Whether the merchant has an enabled provider in the key's mode. */
  readonly hasProvider: boolean;
};

const BY_HASH = lookup(
  'api_key_by_hash',
  { hash: 'bytea' },
  ({ hash }) => `
    SELECT k.merchant_id AS "merchantId", k.id, k.mode, k.scopes, k.api_version AS "apiVersion",
      k.allowed_ips AS "allowedIps", k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt",
      EXISTS (SELECT FROM provider_accounts a
        WHERE a.merchant_id = k.merchant_id AND a.mode = k.mode AND a.enabled) AS "hasProvider"
    FROM api_keys k WHERE k.key_hash = ${hash} AND k.revoked_at IS NULL`,
);

const TOUCH: Statement = {
  name: 'api_key_touch',
  text: 'UPDATE api_keys SET last_used_at = $3 WHERE merchant_id = $1 AND id = $2',
};

const COUNT_CALLS: Statement = {
  name: 'deprecated_calls_count',
  text: `INSERT INTO deprecated_calls (merchant_id, api_key_id, operation, day, calls)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT ON CONSTRAINT deprecated_calls_pk
    DO UPDATE SET calls = deprecated_calls.calls + excluded.calls`,
};

const CALLS_SINCE: Statement = {
  name: 'deprecated_calls_since',
  text: `SELECT api_key_id AS "apiKeyId", operation, sum(calls)::float8 AS calls
    FROM deprecated_calls WHERE merchant_id = $1 AND day >= $2::date
    GROUP BY api_key_id, operation ORDER BY operation`,
};

export type KeyPatch = Partial<Pick<ApiKey, 'expiresAt' | 'revokedAt'>>;

/** A key's calls of a deprecated operation in a period. */
export type CallsOfKey = Pick<DeprecatedCalls, 'apiKeyId' | 'operation' | 'calls'>;

export interface DeprecatedCalls {
  readonly merchantId: string;
  readonly apiKeyId: string;
  readonly operation: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly calls: number;
}

@Injectable()
export class ApiKeyRepository {
  private readonly byHash: Batcher<{ readonly hash: string }, KeyRecord | null>;

  constructor(
    private readonly database: Database,
    @InjectRepository(ApiKey) private readonly keys: LimitedRepository<ApiKey>,
  ) {
    this.byHash = gatheredLookup(database, BY_HASH, 'id');
  }

  /** Locks the merchant against concurrent key creation until the transaction ends. Taken before a key's lock. */
  async lockMerchant(tx: EntityManager, merchantId: string): Promise<void> {
    await lockMerchant(tx, merchantId);
  }

  /**
   * Adds a key unless its merchant has `max` usable keys in this mode. The caller holds the merchant's lock.
   * @returns false when the limit is reached
   */
  async insert(tx: EntityManager, key: ApiKey, max: number): Promise<boolean> {
    const { merchantId, mode, createdAt: now } = key;
    const usable = { merchantId, mode, revokedAt: IsNull() };
    const count = await tx.countBy(ApiKey, [
      { ...usable, expiresAt: IsNull() },
      { ...usable, expiresAt: MoreThan(now) },
    ]);
    if (count >= max) return false;
    await tx.insert(ApiKey, key);
    return true;
  }

  /** The key with this hash, unless it was revoked. */
  findByHash(hash: Buffer): Promise<KeyRecord | null> {
    return this.byHash.ask({ hash: bytea(hash) });
  }

  async touch({ merchantId, id }: Pick<ApiKey, 'merchantId' | 'id'>, now: Date): Promise<void> {
    await this.database.query(TOUCH, [merchantId, id, now]);
  }

  async countCalls(calls: DeprecatedCalls): Promise<void> {
    const { merchantId, apiKeyId, operation, day, calls: count } = calls;
    await this.database.query(COUNT_CALLS, [merchantId, apiKeyId, operation, day, count]);
  }

  /** By operation, since `day` (YYYY-MM-DD, UTC). */
  callsSince(merchantId: string, day: string): Promise<CallsOfKey[]> {
    return this.database.query(CALLS_SINCE, [merchantId, day]);
  }

  find({ merchantId, mode }: Owner, id: string): Promise<ApiKey | null> {
    return this.keys.findOneBy({ merchantId, mode, id });
  }

  /** The same, locked until the transaction ends. */
  lock(tx: EntityManager, { merchantId, mode }: Owner, id: string): Promise<ApiKey | null> {
    const lock = { mode: 'for_no_key_update' } as const;
    return tx.findOne(ApiKey, { where: { merchantId, mode, id }, lock });
  }

  async update(tx: EntityManager, { merchantId, id }: ApiKey, patch: KeyPatch): Promise<void> {
    await tx.update(ApiKey, { merchantId, id }, patch);
  }

  /** All usable keys and the newest of the expired and revoked ones, oldest first. */
  async list({ merchantId, mode }: Owner, now: Date): Promise<ApiKey[]> {
    const keys = await this.database.entities((manager) =>
      manager
        .createQueryBuilder(ApiKey, 'k')
        .addSelect('k.revoked_at IS NULL AND coalesce(k.expires_at > :now, true)', 'usable')
        .where('k.merchant_id = :merchantId AND k.mode = :mode', { merchantId, mode, now })
        .orderBy('usable', 'DESC')
        .addOrderBy('k.created_at', 'DESC')
        .limit(LISTED_MAX)
        .getMany(),
    );
    return keys.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  }

  /** @returns false when the key does not exist or is revoked */
  async revoke(id: string, now: Date): Promise<boolean> {
    const valid = { id, revokedAt: IsNull() };
    return (await this.keys.update(valid, { revokedAt: now })).affected === 1;
  }
}
