import { hash, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../common/clock.js';
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
import { NEWEST_API_VERSION, type ApiVersion } from '../http/api-version.js';
import { Problem } from '../http/problem.js';
import { LiveSafety } from './live-safety.js';
import { scopesOf } from './scope-holders.js';

/** A revoked key stops working within this time on every process. */
const CACHE_MS = 5_000;
const CACHE_ENTRIES_MAX = 10_000;
/** "Last used" is written at most this often for each key. */
const TOUCH_MS = 60_000;
/** What a key looks like; everything else is refused without a look-up. */
const KEY_FORMAT = /^pos_(test|live)_[A-Za-z0-9_-]{43}$/;

/** Of a merchant in each mode, as long as programs can use them. */
export const USABLE_KEYS_MAX = 100;

const HOUR_MS = 3_600_000;

const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer');
/** By its hash, so that timing tells nothing and no key stands in memory longer than its request. */
const nameOf = (key: string): string => hash('sha256', key, 'base64');

export interface NewKey {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  readonly name: string;
  readonly apiVersion?: ApiVersion;
  readonly allowedIps?: readonly string[];
  readonly expiresAt?: Date | null;
  /** Nobody on the command line. */
  readonly maker?: KeyMaker;
}

/** Who makes a key, and in which role at the merchant. */
export interface KeyMaker {
  readonly userId: string;
  readonly role: string;
}

/** A new key with its secret, which nobody can read again. */
export interface MadeKey {
  readonly key: ApiKey;
  readonly secret: string;
}

interface Cached {
  readonly record: KeyRecord;
  readonly readAt: number;
}

/** Makes, checks and revokes the keys that merchants' programs sign in with. */
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
   * @throws LiveRefusedError; Problem `too_many_api_keys`, `missing_scope` for what the maker's role
   * may not give away
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
   * Makes a key with the same settings, that lives as long as the old one was to live. The old one
   * ends after the overlap, if not before.
   * @returns null when there is no such key, or it cannot be used any more
   * @throws LiveRefusedError; Problem `too_many_api_keys`, `missing_scope` for a key that may more
   * than the maker
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
      // First: without an overlap the new key takes the place of the old one.
      await this.keys.update(tx, old, endAfter(old, now, overlapHours));
      const made = await this.make(tx, { ...old, maker, expiresAt: sameLife(old, now) });
      await hook(tx, made.key);
      return made;
    });
  }

  /** @returns false when there is no such key, or it was revoked before */
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

  /** All that programs can use, and the newest of those that are over; the oldest first. */
  list(owner: Owner): Promise<ApiKey[]> {
    return this.keys.list(owner, this.clock.now());
  }

  /** @returns false when there is no such key, or it was revoked before */
  revoke(id: string): Promise<boolean> {
    return this.keys.revoke(id, this.clock.now());
  }

  /** The record of a usable key that was read within the last seconds, or null. */
  remembered(secret: string): KeyRecord | null {
    const cached = this.cache.get(nameOf(secret));
    const now = this.clock.now();
    const age = cached ? now.getTime() - cached.readAt : Infinity;
    return cached && age >= 0 && age < CACHE_MS ? usable(cached.record, now) : null;
  }

  /** The record of a usable key, or null. */
  async find(secret: string): Promise<KeyRecord | null> {
    if (!KEY_FORMAT.test(secret)) return null;
    const remembered = this.remembered(secret);
    if (remembered) return remembered;
    const now = this.clock.now();
    const record = await this.keys.findByHash(hashOf(secret));
    const name = nameOf(secret);
    // Not before: a good key that is looked up again stays known meanwhile.
    this.cache.delete(name);
    if (!record) return null;
    if (this.cache.size >= CACHE_ENTRIES_MAX) this.cache.clear();
    this.cache.set(name, { record, readAt: now.getTime() });
    this.touch(record, now);
    return usable(record, now);
  }

  /** Whether the key was good when this process last looked. */
  isKnown(secret: string): boolean {
    return this.cache.has(nameOf(secret));
  }

  /** No request waits for this, and none fails with it. */
  private touch(record: KeyRecord, now: Date): void {
    if (record.lastUsedAt && now.getTime() - record.lastUsedAt.getTime() < TOUCH_MS) return;
    this.keys
      .touch(record, now)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'last use not noted'));
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

/** Whether programs may sign in with it. */
export const isUsableKey = (
  { revokedAt, expiresAt }: Pick<ApiKey, 'revokedAt' | 'expiresAt'>,
  now: Date,
): boolean => !revokedAt && (!expiresAt || expiresAt > now);

const sameLife = ({ createdAt, expiresAt }: ApiKey, now: Date): Date | null =>
  expiresAt && new Date(now.getTime() + expiresAt.getTime() - createdAt.getTime());

/** Without an overlap the key is over at once. */
function endAfter({ expiresAt }: ApiKey, now: Date, hours: number): KeyPatch {
  if (hours === 0) return { revokedAt: now };
  const end = new Date(now.getTime() + hours * HOUR_MS);
  return { expiresAt: expiresAt && expiresAt < end ? expiresAt : end };
}
