import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MinorColumn, MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

export const RECIPIENT_STATUSES = ['unconfirmed', 'confirmed', 'unsubscribed'] as const;
export type RecipientStatus = (typeof RECIPIENT_STATUSES)[number];

/** A mailbox that is told of paid orders, once its owner has confirmed. */
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

  /** IANA name of the time zone in which mails give times. */
  @Column({ name: 'time_zone', type: 'text' })
  timeZone: string;

  /** Only orders of at least this amount, in minor units of whatever currency; null = all. */
  @MinorColumn('minimum_amount', { nullable: true })
  minimumAmount: number | null;

  /** Opens the page where the mailbox's owner confirms and unsubscribes. */
  @Column({ type: 'text' })
  token: string;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('updated_at')
  updatedAt: Date;

  @MomentColumn('confirmed_at', { nullable: true })
  confirmedAt: Date | null;

  @MomentColumn('unsubscribed_at', { nullable: true })
  unsubscribedAt: Date | null;

  @MomentColumn('deleted_at', { nullable: true })
  deletedAt: Date | null;
}

/** What the mailbox's owner decided. */
type Decided = Pick<NotificationRecipient, 'confirmedAt' | 'unsubscribedAt'>;

export function recipientStatus({ confirmedAt, unsubscribedAt }: Decided): RecipientStatus {
  if (unsubscribedAt) return 'unsubscribed';
  return confirmedAt ? 'confirmed' : 'unconfirmed';
}
