import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import { MomentColumn } from '../columns.js';
import { NotificationRecipient } from './notification-recipient.entity.js';
import { MerchantEvent } from './event.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Messages of the service itself, which tell of no event. */
export const SERVICE_MAILS = [
  'recipient.confirm',
  'mail.test',
  'endpoint.failing',
  'endpoint.disabled',
] as const;
export type ServiceMail = (typeof SERVICE_MAILS)[number];

const PENDING = `status = 'pending'`;
const TO_ENDPOINT = 'endpoint_id IS NOT NULL';
const TO_RECIPIENT = 'recipient_id IS NOT NULL';

/** One event, or a message of the service itself, on its way to one endpoint or mailbox. */
@Entity({ name: 'deliveries' })
@Check('deliveries_mode_check', `mode IN ('test', 'live')`)
@Check('deliveries_status_check', `status IN ('pending', 'delivered', 'failed', 'cancelled')`)
@Check('deliveries_target_check', `(endpoint_id IS NULL) <> (recipient_id IS NULL)`)
@Check('deliveries_event_check', `event_id IS NOT NULL OR (txid IS NULL AND sequence IS NULL)`)
@Check('deliveries_pending_check', `(status = 'pending') = (next_attempt_at IS NOT NULL)`)
@Check('deliveries_completed_check', `(status = 'pending') = (completed_at IS NULL)`)
@ForeignKey(() => MerchantEvent, ['merchantId', 'eventId'], ['merchantId', 'id'], {
  name: 'deliveries_event_fk',
})
@ForeignKey(() => WebhookEndpoint, ['merchantId', 'endpointId'], ['merchantId', 'id'], {
  name: 'deliveries_endpoint_fk',
})
@ForeignKey(() => NotificationRecipient, ['merchantId', 'recipientId'], ['merchantId', 'id'], {
  name: 'deliveries_recipient_fk',
})
@Index('deliveries_webhook_once', ['merchantId', 'endpointId', 'eventId'], {
  unique: true,
  where: `${TO_ENDPOINT} AND NOT resent`,
})
@Index('deliveries_mail_once', ['merchantId', 'recipientId', 'eventId'], {
  unique: true,
  where: `${TO_RECIPIENT} AND NOT resent`,
})
@Index('deliveries_log', ['merchantId', 'endpointId', 'id'], { where: TO_ENDPOINT })
@Index('deliveries_webhook_due', ['endpointId', 'nextAttemptAt'], {
  where: `${PENDING} AND ${TO_ENDPOINT}`,
})
@Index('deliveries_mail_due', ['nextAttemptAt'], { where: `${PENDING} AND ${TO_RECIPIENT}` })
@Index('deliveries_mail_turn', ['merchantId', 'mode', 'nextAttemptAt'], {
  where: `${PENDING} AND ${TO_RECIPIENT}`,
})
@Index('deliveries_first_tries', ['endpointId', 'txid', 'sequence'], {
  where: `${PENDING} AND attempts = 0 AND ${TO_ENDPOINT}`,
})
@Index('deliveries_asked', ['merchantId', 'mode'], {
  where: `${PENDING} AND ${TO_ENDPOINT} AND (resent OR event_id IS NULL)`,
})
@Index('deliveries_age', ['createdAt'])
@Index('deliveries_resent', ['merchantId', 'txid'], { where: 'resent' })
@Index('deliveries_resent_events', ['merchantId', 'endpointId', 'eventId'], {
  where: `${TO_ENDPOINT} AND resent`,
})
export class Delivery {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'deliveries_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deliveries_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  /** The event's type, or the kind of message, such as `recipient.confirm`. */
  @Column({ type: 'text' })
  type: string;

  /** Null for a message of the service itself. */
  @Column({ name: 'event_id', type: 'uuid', nullable: true })
  eventId: string | null;

  /** The event's order; null for an event of a payout. */
  @Column({ type: 'uuid', nullable: true })
  txid: string | null;

  /** The event's place among those of its order or payout. */
  @Column({ type: 'integer', nullable: true })
  sequence: number | null;

  @Column({ name: 'endpoint_id', type: 'uuid', nullable: true })
  endpointId: string | null;

  @Column({ name: 'recipient_id', type: 'uuid', nullable: true })
  recipientId: string | null;

  /** What a message of the service itself is about. */
  @Column({ type: 'jsonb', nullable: true })
  data: Record<string, unknown> | null;

  /** Somebody asked for the event to be sent again. */
  @Column({ type: 'boolean', default: false })
  resent: boolean;

  @Column({ type: 'text', default: 'pending' })
  status: DeliveryStatus;

  /** Attempts that ended, well or badly. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Failed ones of these that were made before their time, which the schedule does not count. */
  @Column({ name: 'extra_attempts', type: 'integer', default: 0 })
  extraAttempts: number;

  /** When the last attempt began, in vain; null before the first one and while one is under way. */
  @MomentColumn('failed_at', { nullable: true })
  failedAt: Date | null;

  /** When its schedule has the next attempt, while one is made before that. */
  @MomentColumn('scheduled_at', { nullable: true })
  scheduledAt: Date | null;

  /** While an attempt is under way: when another worker may take the delivery over. */
  @MomentColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('completed_at', { nullable: true })
  completedAt: Date | null;
}
