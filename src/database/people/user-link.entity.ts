import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import type { MerchantRole } from './membership.entity.js';
import { type PlatformRole, User } from './user.entity.js';

/** A link that a mail brings: to join, or to choose a new password. It works once. */
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

  /** Until the mail has left; then only its hash is kept. */
  @Column({ type: 'text', nullable: true })
  token: string | null;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** Whom it is sent to, in lower case. */
  @Column({ type: 'text' })
  email: string;

  /** Null invites to the platform. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  @Column({ type: 'text', nullable: true })
  role: MerchantRole | PlatformRole | null;

  @Column({ name: 'created_by', type: 'uuid', nullable: true })
  createdBy: string | null;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('expires_at')
  expiresAt: Date;

  @MomentColumn('used_at', { nullable: true })
  usedAt: Date | null;

  /** Attempts to send the mail, the one under way among them. */
  @Column({ type: 'smallint', default: 0 })
  attempts: number;

  /** While the mail has not left: when it is due, or when whoever sends it is given up. */
  @MomentColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @MomentColumn('sent_at', { nullable: true })
  sentAt: Date | null;
}
