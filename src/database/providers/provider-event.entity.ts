import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

/** What became of a message; `mismatch` = it contradicts what is known, and a person has to look. */
export const PROVIDER_EVENT_RESULTS = ['applied', 'ignored', 'mismatch'] as const;
export type ProviderEventResult = (typeof PROVIDER_EVENT_RESULTS)[number];

/** Messages that still have the provider's own words. */
export const WITH_WORDS = `body <> ''`;

/** A provider's signed message, stored before it is applied. Only what became of it is ever updated. */
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

  /** The account through which it came, and its mode; null for those of before they were kept. */
  @Column({ name: 'account_id', type: 'uuid', nullable: true })
  accountId: string | null;

  @Column({ type: 'text', nullable: true })
  mode: Mode | null;

  /**
   * The account's id and the provider's own of the message (of one that nobody could read, the SHA-256 of
   * its bytes), with a colon between: two accounts may well use the same. A second message under an id
   * that is taken, with other contents, has `#` and their SHA-256 behind it.
   */
  @Column({ name: 'provider_event_id', type: 'text' })
  providerEventId: string;

  /**
   * The payment that the provider says it is about; it need not exist (yet). Null for a message that
   * nobody could read.
   */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** What the provider reports, in our words; see the provider contract. */
  @Column({ type: 'jsonb' })
  report: unknown;

  /** The message as it came, `base64:` before what is no text; empty once it was erased. */
  @Column({ type: 'text' })
  body: string;

  @MomentColumn('received_at')
  receivedAt: Date;

  @MomentColumn('applied_at', { nullable: true })
  appliedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  result: ProviderEventResult | null;

  /**
   * When it is tried, as long as it is not applied; null = not any more, because the payment did not
   * come. Those that a version without this column stores are tried at once.
   */
  @MomentColumn('next_attempt_at', { nullable: true, default: () => 'now()' })
  nextAttemptAt: Date | null;

  /** When a person said that nothing is left to do about a message that was not applied. */
  @MomentColumn('handled_at', { nullable: true })
  handledAt: Date | null;
}
