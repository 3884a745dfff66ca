import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../http/api-version.js';
import { MomentColumn } from '../columns.js';
import { Merchant } from './merchant.entity.js';

export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

export const SCOPES = [
  'orders:read',
  'orders:write',
  'payouts:read',
  'events:read',
  'notifications:read',
  'notifications:write',
] as const;
export type Scope = (typeof SCOPES)[number];

/** A merchant's key. The key itself is shown once and never stored. */
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

  /** The merchant's own name for the key. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** SHA-256 of the key. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  /** The key's last four characters, to recognise it by. */
  @Column({ type: 'text' })
  hint: string;

  @Column({ type: 'text', array: true })
  scopes: Scope[];

  /** Contract of requests that name none. */
  @Column({ name: 'api_version', type: 'text' })
  apiVersion: ApiVersion;

  /** Addresses and CIDR ranges that may use the key; empty = all. */
  @Column({ name: 'allowed_ips', type: 'text', array: true })
  allowedIps: string[];

  /** Who made it; null on the command line. */
  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy: string | null;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('expires_at', { nullable: true })
  expiresAt: Date | null;

  @MomentColumn('revoked_at', { nullable: true })
  revokedAt: Date | null;

  /** Written at most once a minute. */
  @MomentColumn('last_used_at', { nullable: true })
  lastUsedAt: Date | null;
}
