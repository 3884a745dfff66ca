import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import { TimestampColumn } from '../columns.js';
import { NotificationRecipient } from './notification-recipient.entity.js';
import { MerchantEvent } from './event.entity.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Mails of the service itself, without an event. */
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

/** The delivery of an event, or of a service mail, to one endpoint or recipient. */
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
@Index('deliveries_log_of_ended', ['merchantId', 'endpointId', 'status', 'id'], {
  where: `${TO_ENDPOINT} AND status IN ('failed', 'cancelled')`,
})
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

  /** The event's type, or the kind of service mail, for example `recipient.confirm`. */
  @Column({ type: 'text' })
  type: string;

  /** Null for a service mail. */
  @Column({ name: 'event_id', type: 'uuid', nullable: true })
  eventId: string | null;

  /** The event's order; null for an event of a payout. */
  @Column({ type: 'uuid', nullable: true })
  txid: string | null;

  /** The event's sequence number within its order or payout. */
  @Column({ type: 'integer', nullable: true })
  sequence: number | null;

  @Column({ name: 'endpoint_id', type: 'uuid', nullable: true })
  endpointId: string | null;

  @Column({ name: 'recipient_id', type: 'uuid', nullable: true })
  recipientId: string | null;

  /** Values for a service mail. */
  @Column({ type: 'jsonb', nullable: true })
  data: Record<string, unknown> | null;

  /** Requested again by the merchant. */
  @Column({ type: 'boolean', default: false })
  resent: boolean;

  @Column({ type: 'text', default: 'pending' })
  status: DeliveryStatus;

  /** Finished attempts, successful or not. */
  @Column({ type: 'integer', default: 0 })
  attempts: number;

  /** Failed attempts before the scheduled time, which do not count for the retry schedule. */
  @Column({ name: 'extra_attempts', type: 'integer', default: 0 })
  extraAttempts: number;

  /** Start of the last attempt if it failed; null before the first one and during an attempt. */
  @TimestampColumn('failed_at', { nullable: true })
  failedAt: Date | null;

  /** The regular next attempt, while an extra attempt is scheduled before it. */
  @TimestampColumn('scheduled_at', { nullable: true })
  scheduledAt: Date | null;

  /** Next attempt; during an attempt, the end of the worker's lease. */
  @TimestampColumn('next_attempt_at', { nullable: true })
  nextAttemptAt: Date | null;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('completed_at', { nullable: true })
  completedAt: Date | null;
}
