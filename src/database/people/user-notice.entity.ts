import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
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
  'operator-access',
  'refund-account',
] as const;

/** A security notification: a mail to a user about the account or a merchant. */
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

  /** Null when it is about the account only. */
  @Column({ name: 'merchant_id', type: 'uuid', nullable: true })
  merchantId: string | null;

  /** Values for the mail; no secrets. */
  @Column({ type: 'jsonb' })
  data: Readonly<Record<string, string>>;

  @TimestampColumn('created_at')
  createdAt: Date;

  /** Attempts to send the mail, including a running one. */
  @Column({ type: 'smallint', default: 0 })
  attempts: number;

  /** Next attempt, or end of the current sender's lease; null when sent or given up. */
  @TimestampColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @TimestampColumn('sent_at', { nullable: true })
  sentAt: Date | null;
}
