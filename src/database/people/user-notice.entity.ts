import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import { Merchant } from '../merchants/merchant.entity.js';
import { User } from './user.entity.js';

export const USER_NOTICE_KINDS = [
  'codes-guessed',
  'owners-changed',
  'endpoint-by-key',
  'account-changed',
  'signed-in',
  'statements-missing',
  'collection-account',
  'payout-waits',
  'operator-closed',
] as const;

/** A mail to somebody about the safety of the account, or of a merchant. */
@Entity({ name: 'user_notices' })
@Check(
  'user_notices_kind_check',
  `kind IN (${USER_NOTICE_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
)
@Check('user_notices_sent_check', 'sent_at IS NULL OR next_attempt_at IS NULL')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'user_notices_user_fk' })
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'user_notices_merchant_fk' })
@Index('user_notices_unsent', ['nextAttemptAt'], { where: 'next_attempt_at IS NOT NULL' })
@Index('user_notices_user', ['userId', 'createdAt'])
@Index('user_notices_merchant', ['merchantId', 'createdAt'])
export class UserNotice {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'user_notices_pk' })
  id: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  kind: (typeof USER_NOTICE_KINDS)[number];

  /** Null for what concerns the account alone. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  /** What stands in the mail; nothing secret. */
  @Column({ type: 'jsonb' })
  data: Readonly<Record<string, string>>;

  @MomentColumn('created_at')
  createdAt: Date;

  /** Attempts to send the mail, the one under way among them. */
  @Column({ type: 'smallint', default: 0 })
  attempts: number;

  /** When it is due, or when whoever sends it is given up; null once it is over. */
  @MomentColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @MomentColumn('sent_at', { nullable: true })
  sentAt: Date | null;
}
