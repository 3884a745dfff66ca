import { hash, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/time/clock.js';
import { uuidv7 } from '../common/ids.js';
import { Database } from '../database/database.js';
import type { Owner } from '../database/keys.js';
import type { ApiKey, Mode, Scope } from '../database/merchants/api-key.entity.js';
import {
  ApiKeyRepository,
  type KeyPatch,
  type KeyRecord,
} from '../database/merchants/api-key.repository.js';
import { noHook, type TransactionHook } from '../database/transaction-hook.js';
import { NEWEST_API_VERSION, type ApiVersion } from '../common/api-version.js';
import { Problem } from '../http/problems/problem.js';
import { LiveSafety } from './live-safety.js';
import { scopesOf } from './scope-holders.js';

/** Maximum delay until a revocation takes effect in all processes. */
const CACHE_MS = 5_000;
const CACHE_ENTRIES_MAX = 10_000;
/** Minimum interval between updates of "last used" per key. */
const TOUCH_MS = 60_000;
/** Format of keys; anything else is rejected without a lookup. */
const KEY_FORMAT = /^pos_(test|live)_[A-Za-z0-9_-]{43}$/;

/** Maximum usable keys of a merchant per mode. */
export const USABLE_KEYS_MAX = 100;

const HOUR_MS = 3_600_000;

const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer');
/** Hashed cache key: prevents timing attacks, and keeps no key in memory longer than its request. */
const nameOf = (key: string): string => hash('sha256', key, 'base64');

export interface NewKey {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  readonly name: string;
  readonly apiVersion?: ApiVersion;
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Absent on the command line. */
  readonly maker?: KeyMaker;
}

/** Creator of a key, with the role at the merchant. */
export interface KeyMaker {
  readonly userId: string;
  readonly role: string;
}

/** A new key with its secret, which is shown only once. */
export interface MadeKey {
  readonly key: ApiKey;
  readonly secret: string;
}

interface Cached {
  readonly record: KeyRecord;
  readonly readAt: number;
}

/** Creates, verifies and revokes API keys. */
@Injectable()
export class ApiKeysService {
  private readonly logger = new Logger('api-keys');
  private readonly cache = new Map<string, Cached>();

  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeyRepository,
    private readonly liveSafety: LiveSafety,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws LiveRefusedError; Problem `too_many_api_keys`, `missing_scope` for scopes that the creator's role may not
   * grant
   */
  async create(input: NewKey, hook: TransactionHook<ApiKey> = noHook): Promise<MadeKey> {
    return this.database.transaction(async (tx) => {
      const made = await this.insert(tx, input);
      await hook(tx, made.key);
      return made;
    });
  }

  /** @throws LiveRefusedError; Problem as for `create` */
  async insert(tx: EntityManager, input: NewKey): Promise<MadeKey> {
    await this.keys.lockMerchant(tx, input.merchantId);
    return this.make(tx, input);
  }

  /**
   * Rotates a key: creates one with the same settings and lifetime. The old one expires after the overlap, if not
   * earlier.
   * @returns null if the key does not exist, or is no longer usable
   * @throws LiveRefusedError; Problem `too_many_api_keys`, `missing_scope` for a key with more scopes than the user may
   * grant
   */
  async roll(
    owner: Owner,
    id: string,
    { overlapHours, maker }: { readonly overlapHours: number; readonly maker: KeyMaker },
    hook: TransactionHook<ApiKey> = noHook,
  ): Promise<MadeKey | null> {
    const now = this.clock.now();
    return this.database.transaction(async (tx) => {
      await this.keys.lockMerchant(tx, owner.merchantId);
      const old = await this.keys.lock(tx, owner, id);
      if (!old || !isUsableKey(old, now)) return null;
      // End the old key first: without an overlap it must not count against the limit.
      await this.keys.update(tx, old, endAfter(old, now, overlapHours));
      const made = await this.make(tx, { ...old, maker, expiresAt: sameLife(old, now) });
      await hook(tx, made.key);
      return made;
    });
  }

  /** @returns false if the key does not exist, or was already revoked */
  async revokeOne(
    owner: Owner,
    id: string,
    hook: TransactionHook<ApiKey> = noHook,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const key = await this.keys.lock(tx, owner, id);
      if (!key || key.revokedAt) return false;
      await this.keys.update(tx, key, { revokedAt: this.clock.now() });
      await hook(tx, key);
      return true;
    });
  }

  get(owner: Owner, id: string): Promise<ApiKey | null> {
    return this.keys.find(owner, id);
  }

  /** The caller holds the merchant's lock. */
  private async make(tx: EntityManager, input: NewKey): Promise<MadeKey> {
    await this.liveSafety.refuse(tx, input.mode, 'Live keys');
    refuseNotHeld(input);
    const now = this.clock.now();
    const secret = `pos_${input.mode}_${randomBytes(32).toString('base64url')}`;
    const key: ApiKey = {
      merchantId: input.merchantId,
      id: uuidv7(now.getTime()),
      name: input.name,
      mode: input.mode,
      keyHash: hashOf(secret),
      hint: secret.slice(-4),
      scopes: [...input.scopes],
      apiVersion: input.apiVersion ?? NEWEST_API_VERSION,
      allowedIps: [...(input.allowedIps ?? [])],
      createdBy: input.maker?.userId ?? null,
      createdAt: now,
      expiresAt: input.expiresAt ?? null,
      revokedAt: null,
      lastUsedAt: null,
    };
    const isAdded = await this.keys.insert(tx, key, USABLE_KEYS_MAX);
    if (!isAdded) throw new Problem('too_many_api_keys');
    return { key, secret };
  }

  /** All usable keys and the newest expired ones; the oldest first. */
  list(owner: Owner): Promise<ApiKey[]> {
    return this.keys.list(owner, this.clock.now());
  }

  /** @returns false if the key does not exist, or was already revoked */
  revoke(id: string): Promise<boolean> {
    return this.keys.revoke(id, this.clock.now());
  }

  /** Cached record of a usable key, or null. */
  remembered(secret: string): KeyRecord | null {
    const cached = this.cache.get(nameOf(secret));
    const now = this.clock.now();
    const age = cached ? now.getTime() - cached.readAt : Infinity;
    return cached && age >= 0 && age < CACHE_MS ? usable(cached.record, now) : null;
  }

  /** Record of a usable key, or null. */
  async find(secret: string): Promise<KeyRecord | null> {
    if (!KEY_FORMAT.test(secret)) return null;
    const remembered = this.remembered(secret);
    if (remembered) return remembered;
    const now = this.clock.now();
    const record = await this.keys.findByHash(hashOf(secret));
    const name = nameOf(secret);
    // Only now, so that a valid key stays cached during the lookup.
    this.cache.delete(name);
    if (!record) return null;
    if (this.cache.size >= CACHE_ENTRIES_MAX) this.cache.clear();
    this.cache.set(name, { record, readAt: now.getTime() });
    this.touch(record, now);
    return usable(record, now);
  }

  /** Whether the key was valid at the last lookup of this process. */
  isKnown(secret: string): boolean {
    return this.cache.has(nameOf(secret));
  }

  /** In the background; failures are ignored. */
  private touch(record: KeyRecord, now: Date): void {
    if (record.lastUsedAt && now.getTime() - record.lastUsedAt.getTime() < TOUCH_MS) return;
    this.keys
      .touch(record, now)
      .catch((error: unknown) =>
        this.logger.warn(
          { event: 'api_key.last_use.failed', err: error },
          'last use of an API key was not recorded',
        ),
      );
  }
}

function refuseNotHeld({ scopes, maker }: NewKey): void {
  const held = maker && scopesOf(maker.role);
  const beyond = held ? scopes.filter((scope) => !held.includes(scope)) : [];
  if (beyond.length === 0) return;
  const detail = `Your role may not give this to a key: ${beyond.join(', ')}.`;
  throw new Problem('missing_scope', { detail });
}

const usable = (record: KeyRecord, now: Date): KeyRecord | null =>
  record.expiresAt && record.expiresAt <= now ? null : record;

/** Whether the key can authenticate requests. */
export const isUsableKey = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => !revokedAt && (!expiresAt || expiresAt > now);

const sameLife = ({ createdAt, expiresAt }: ApiKey, now: Date): Date | null =>
  expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());

/** Without an overlap the key expires now. */
function endAfter({ expiresAt }: ApiKey, now: Date, hours: number): KeyPatch {
  if (hours === 0) return { revokedAt: now };
  const end = new Date(now.getTime() + hours * HOUR_MS);
  return { expiresAt: expiresAt && expiresAt < end ? expiresAt : end };
}
