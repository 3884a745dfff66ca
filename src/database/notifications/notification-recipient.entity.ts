import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

export const RECIPIENT_STATUSES = ['unconfirmed', 'confirmed', 'unsubscribed'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** A mailbox that receives mails about paid orders once its owner has confirmed. */
@Entity({ name: 'notification_recipients' })
@Check('notification_recipients_mode_check', `mode IN ('test', 'live')`)
@Check('notification_recipients_amount_check', `minimum_amount > 0`)
@Check('notification_recipients_deleted_check', `(email IS NULL) = (deleted_at IS NOT NULL)`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'notification_recipients_merchant_fk' })
@Index('notification_recipients_email', ['merchantId', 'mode', 'email'], { unique: true })
@Index('notification_recipients_token', ['token'])
export class NotificationRecipient {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'notification_recipients_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'notification_recipients_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** In lower case; erased when the recipient is deleted. */
  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** Language of the mails. */
  @Column({ type: 'text' })
  locale: string;

  /** IANA time zone of times in mails. */
  @Column({ name: 'time_zone', type: 'text' })
  timeZone: string;

  /** Minimum order amount, in minor units of any currency; null = all. */
  @MinorColumn('minimum_amount', { nullable: true })
  minimumAmount: number | null;

  /** Token of the page on which the mailbox's owner confirms and unsubscribes. */
  @Column({ type: 'text' })
  token: string;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;

  @TimestampColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  @TimestampColumn('unsubscribed_at', { nullable: true })
  unsubscribedAt: Date | null;

  @TimestampColumn('deleted_at', { nullable: true })
  deletedAt: Date | null;
}

/** The mailbox owner's decisions. */
type Decided = Pick<NotificationRecipient, 'confirmedAt' | 'unsubscribedAt'>;

export function recipientStatus({ confirmedAt, unsubscribedAt }: Decided): RecipientStatus {
  if (unsubscribedAt) return 'unsubscribed';
  return confirmedAt ? 'confirmed' : 'unconfirmed';
}
