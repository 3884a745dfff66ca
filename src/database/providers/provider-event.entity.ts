import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

/** Result of a message; `mismatch` = it contradicts the known state, and an operator must review it. */
export const PROVIDER_EVENT_RESULTS = ['applied', 'ignored', 'mismatch'] as const;
export type ProviderEventResult = (typeof PROVIDER_EVENT_RESULTS)[number];

/** Messages whose body is not erased. */
export const WITH_WORDS = `body <> ''`;

/** A provider's signed message, stored before it is applied. Only its processing state is updated. */
@Entity({ name: 'provider_events' })
@Check('provider_events_mode_check', `mode IN ('test', 'live')`)
@Check(
  'provider_events_unreadable_check',
  `payment_id IS NOT NULL OR coalesce(result, '') = 'mismatch'`,
)
@Check('provider_events_result_check', `(applied_at IS NULL) = (result IS NULL)`)
@Check(
  'provider_events_handled_check',
  `handled_at IS NULL OR applied_at IS NOT NULL OR handled_at - received_at > interval '24 hours'`,
)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'provider_events_merchant_fk' })
@Index('provider_events_once', ['merchantId', 'provider', 'providerEventId'], { unique: true })
@Index('provider_events_attempts', ['merchantId', 'nextAttemptAt'], {
  where: 'applied_at IS NULL AND handled_at IS NULL',
})
@Index('provider_events_mismatch', ['receivedAt'], {
  where: `result = 'mismatch' AND handled_at IS NULL`,
})
@Index('provider_events_kept', ['merchantId', 'id'], { where: WITH_WORDS })
export class ProviderEvent {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'provider_events_pk',
  })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'provider_events_pk' })
  id: string;

  @Column({ type: 'text' })
  provider: string;

  /** The provider account that received it, and its mode; null for older rows. */
  @Column({ name: 'account_id', type: 'uuid', nullable: true })
  accountId: string | null;

  @Column({ type: 'text', nullable: true })
  mode: Mode | null;

  /**
   * The account's id, a colon and the provider's message id (the SHA-256 of the bytes for an unreadable message),
   * because two accounts may use the same id. A second message with the same id and other contents gets `#` and their
   * SHA-256 appended.
   */
  @Column({ name: 'provider_event_id', type: 'text' })
  providerEventId: string;

  /** The payment named by the provider; it need not exist (yet). Null for an unreadable message. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** The report in the format of the provider contract. */
  @Column({ type: 'jsonb' })
  report: unknown;

  /** The received body, with prefix `base64:` if it is not text; empty once erased. */
  @Column({ type: 'text' })
  body: string;

  @TimestampColumn('received_at')
  receivedAt: Date;

  @TimestampColumn('applied_at', { nullable: true })
  appliedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  result: ProviderEventResult | null;

  /**
   * Next attempt while not applied; null = given up, because the payment was never found. The default lets rows of
   * versions without this column be tried immediately.
   */
  @TimestampColumn('next_attempt_at', { nullable: true, default: () => 'now()' })
  nextAttemptAt: Date | null;

  /** When an operator marked a message that was not applied as handled. */
  @TimestampColumn('handled_at', { nullable: true })
  handledAt: Date | null;
}
