import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../common/api-version.js';
import { TimestampColumn } from '../columns.js';
import { Merchant } from './merchant.entity.js';

export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

export const SCOPES = [
  'orders:read',
  'orders:write',
  'payouts:read',
  'refunds:read',
  'refunds:write',
  'events:read',
  'notifications:read',
  'notifications:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** An API key of a merchant. The key itself is shown once and never stored. */
@Entity({ name: 'api_keys' })
@Check('api_keys_mode_check', `mode IN ('test', 'live')`)
@Check('api_keys_hash_check', `octet_length(key_hash) = 32`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'api_keys_merchant_fk' })
@Index('api_keys_hash', ['keyHash'])
export class ApiKey {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'api_keys_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'api_keys_pk' })
  id: string;

  /** Name given by the merchant. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** SHA-256 of the key. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  /** Last four characters of the key, to identify it. */
  @Column({ type: 'text' })
  hint: string;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** API version of requests without a version header. */
  @Column({ name: 'api_version', type: 'text' })
  apiVersion: ApiVersion;

  /** Allowed IP addresses and CIDR ranges; empty = all. */
  @Column({ name: 'allowed_ips', type: 'text', array: true })
  allowedIps: string[];

  /** The user who created it; null = command line. */
  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('expires_at', { nullable: true })
  expiresAt: Date | null;

  @TimestampColumn('revoked_at', { nullable: true })
  revokedAt: Date | null;

  /** Updated at most once a minute. */
  @TimestampColumn('last_used_at', { nullable: true })
  lastUsedAt: Date | null;
}
