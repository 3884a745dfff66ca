import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ApiVersion } from '../../common/api-version.js';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';
import type { EventType } from './event.entity.js';

export const DISABLED_REASONS = ['by_merchant', 'gone', 'failing'] as const;
/** `gone`: the receiver answered 410. `failing`: nothing was delivered for five days. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook endpoint of a merchant. */
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

  /** Only events of orders with this optional field; null = all, including payouts. */
  @Column({ name: 'field_key', type: 'text', nullable: true })
  fieldKey: string | null;

  /** Exact value of that field. */
  @Column({ name: 'field_value', type: 'text', nullable: true })
  fieldValue: string | null;

  /** API version of `data`. */
  @Column({ name: 'api_version', type: 'text' })
  apiVersion: ApiVersion;

  /** `whsec_` and the base64 of the signing key. */
  @Column({ type: 'text' })
  secret: string;

  /** Also signs until `previousSecretUntil`, while the merchant rolls the secret. */
  @Column({ name: 'previous_secret', type: 'text', nullable: true })
  previousSecret: string | null;

  @TimestampColumn('previous_secret_until', { nullable: true })
  previousSecretUntil: Date | null;

  @Column({ type: 'boolean', default: true })
  enabled: boolean;

  @Column({ name: 'disabled_reason', type: 'text', nullable: true })
  disabledReason: DisabledReason | null;

  /** The first failure since the last success. */
  @TimestampColumn('failing_since', { nullable: true })
  failingSince: Date | null;

  /** When it recovered; null once all failed deliveries were retried. */
  @TimestampColumn('answers_since', { nullable: true })
  answersSince: Date | null;

  /** Mails sent to the merchant about the current failure. */
  @Column({ type: 'integer', default: 0 })
  warnings: number;

  /** The user who last created it, changed its URL or subscribed it to payouts; null for an API key. */
  @Column({ name: 'made_by', type: 'uuid', nullable: true })
  madeBy: string | null;

  /** The API key that did so; both are null for endpoints of earlier versions. */
  @Column({ name: 'made_by_key', type: 'uuid', nullable: true })
  madeByKey: string | null;

  /** Whether it may receive payout events. A trigger requires that its creator may read payouts. */
  @Column({ name: 'sees_payouts', type: 'boolean', default: true })
  seesPayouts: boolean;

  @TimestampColumn('created_at')
  createdAt: Date;

  @TimestampColumn('updated_at')
  updatedAt: Date;

  @TimestampColumn('deleted_at', { nullable: true })
  deletedAt: Date | null;
}
