import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import type { MerchantRole } from './membership.entity.js';
import { type PlatformRole, User } from './user.entity.js';

/** A single-use link in a mail: an invitation or a password reset. */
@Entity({ name: 'user_links' })
@Check('user_links_kind_check', `kind IN ('invitation', 'reset')`)
@Check('user_links_role_check', `(kind = 'invitation') = (role IS NOT NULL)`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'user_links_merchant_fk' })
@ForeignKey(() => User, ['createdBy'], ['id'], { name: 'user_links_created_by_fk' })
@Index('user_links_token', ['tokenHash'], { unique: true })
@Check('user_links_unsent_check', '(token IS NULL) = (next_attempt_at IS NULL)')
@Index('user_links_unsent', ['nextAttemptAt'], { where: 'token IS NOT NULL' })
@Index('user_links_merchant', ['merchantId'], { where: 'used_at IS NULL' })
@Index('user_links_open', ['merchantId', 'email'], {
  unique: true,
  where: "kind = 'invitation' AND used_at IS NULL",
})
export class UserLink {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'user_links_pk' })
  id: string;

  @Column({ type: 'text' })
  kind: 'invitation' | 'reset';

  /** Kept until the mail is sent; then only the hash remains. */
  @Column({ type: 'text', nullable: true })
  token: string | null;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** Recipient, in lower case. */
  @Column({ type: 'text' })
  email: string;

  /** Null for an invitation to the platform. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  @Column({ type: 'text', nullable: true })
  role: MerchantRole | PlatformRole | null;

  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy: string | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('expires_at')
  expiresAt: Date;

  @TimestampColumn('used_at', { nullable: true })
  usedAt: Date | null;

  /** Attempts to send the mail, including a running one. */
  @Column({ type: 'smallint', default: 0 })
  attempts: number;

  /** Next attempt to send the mail, or end of the current sender's lease; null when sent or given up. */
  @TimestampColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @TimestampColumn('sent_at', { nullable: true })
  sentAt: Date | null;
}
