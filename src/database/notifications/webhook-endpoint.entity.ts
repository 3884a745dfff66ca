import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../http/api-version.js';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import type { EventType } from './event.entity.js';

export const DISABLED_REASONS = ['by_merchant', 'gone', 'failing'] as const;
/** `gone`: the receiver answered 410. `failing`: nothing was delivered for five days. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Where a merchant's program receives events. */
@Entity({ name: 'webhook_endpoints' })
@Check('webhook_endpoints_mode_check', `mode IN ('test', 'live')`)
@Check('webhook_endpoints_reason_check', `disabled_reason IN ('by_merchant', 'gone', 'failing')`)
@Check('webhook_endpoints_enabled_check', `enabled = (disabled_reason IS NULL)`)
@Check(
  'webhook_endpoints_roll_check',
  `(previous_secret IS NULL) = (previous_secret_until IS NULL)`,
)
@Check('webhook_endpoints_maker_check', `made_by IS NULL OR made_by_key IS NULL`)
@Check(
  'webhook_endpoints_payouts_check',
  `sees_payouts OR array_to_string(event_types, ' ') NOT LIKE '%payout.%'`,
)
@Check('webhook_endpoints_field_check', `(field_key IS NULL) = (field_value IS NULL)`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'webhook_endpoints_merchant_fk' })
@Index('webhook_endpoints_live', ['merchantId', 'mode'], { where: 'deleted_at IS NULL' })
export class WebhookEndpoint {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'webhook_endpoints_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'webhook_endpoints_pk' })
  id: string;

  @Column({ type: 'text' })
  mode: Mode;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text', nullable: true })
  description: string | null;

  /** Empty = all. */
  @Column({ name: 'event_types', type: 'text', array: true })
  eventTypes: EventType[];

  /** Only events of orders that have this among their optional fields; null = all, and payouts too. */
  @Column({ name: 'field_key', type: 'text', nullable: true })
  fieldKey: string | null;

  /** The whole value of that field. */
  @Column({ name: 'field_value', type: 'text', nullable: true })
  fieldValue: string | null;

  /** Contract in which `data` is written. */
  @Column({ name: 'api_version', type: 'text' })
  apiVersion: ApiVersion;

  /** `whsec_` and the base64 of the signing key. */
  @Column({ type: 'text' })
  secret: string;

  /** Signs beside the new secret while the merchant changes over. */
  @Column({ name: 'previous_secret', type: 'text', nullable: true })
  previousSecret: string | null;

  @MomentColumn('previous_secret_until', { nullable: true })
  previousSecretUntil: Date | null;

  @Column({ type: 'boolean', default: true })
  enabled: boolean;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: DisabledReason | null;

  /** The first failure since the last success. */
  @MomentColumn('failing_since', { nullable: true })
  failingSince: Date | null;

  /** Since when it answers again; null once nothing is left to be made up for. */
  @MomentColumn('answers_since', { nullable: true })
  answersSince: Date | null;

  /** Mails that told the merchant of the present failure. */
  @Column({ type: 'integer', default: 0 })
  warnings: number;

  /** Who made it, pointed it elsewhere, or let it hear of payouts, last; null for a program. */
  @Column({ name: 'made_by', type: 'uuid', nullable: true })
  madeBy: string | null;

  /** The API key of the program that did; both are null for endpoints of older versions. */
  @Column({ name: 'made_by_key', type: 'uuid', nullable: true })
  madeByKey: string | null;

  /** The database lets nobody hear of payouts who may not read them. */
  @Column({ name: 'sees_payouts', type: 'boolean', default: true })
  seesPayouts: boolean;

  @MomentColumn('created_at')
  createdAt: Date;

  @MomentColumn('updated_at')
  updatedAt: Date;

  @MomentColumn('deleted_at', { nullable: true })
  deletedAt: Date | null;
}
