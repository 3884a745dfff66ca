import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MomentColumn } from '../columns.js';
import type { Json } from '../entity-sql.js';
import { type Mode } from '../merchants/api-key.entity.js';
import type { OrderException, OrderStatus } from '../orders/order.entity.js';
import type { Payment } from '../payments/payment.entity.js';
import { Payout, type PAYOUT_SNAPSHOT } from '../payouts/payout.entity.js';

export const ORDER_EVENT_TYPES = [
  'order.created',
  'order.processing',
  'order.paid',
  'order.failed',
  'order.cancelled',
  'order.expired',
  'order.exception',
  'order.refunded',
  'payment.failed',
  'payment.updated',
  'order.updated',
  'order.reopened',
] as const;
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

export const PAYOUT_EVENT_TYPES = [
  'payout.requested',
  'payout.changed',
  'payout.approved',
  'payout.exported',
  'payout.submitted',
  'payout.paid',
  'payout.rejected',
  'payout.cancelled',
  'payout.failed',
  'payout.returned',
] as const;
export type PayoutEventType = (typeof PAYOUT_EVENT_TYPES)[number];

export const EVENT_TYPES = [...ORDER_EVENT_TYPES, ...PAYOUT_EVENT_TYPES] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What changes of a payment; who paid is left out. */
export const PAYMENT_SNAPSHOT = [
  'id',
  'status',
  'amountReceived',
  'receivedCurrency',
  'errorCode',
  'errorMessage',
  'completedAt',
] as const satisfies readonly (keyof Payment)[];

export type PaymentSnapshot = Json<Pick<Payment, (typeof PAYMENT_SNAPSHOT)[number]>>;

/**
 * The order as it was right after the event, as far as it changes; times as JSON writes them. The
 * payer is left out: what is known of the payer stands in the payment alone, where it can be erased.
 */
export interface OrderSnapshot {
  readonly status: OrderStatus;
  readonly statusReason?: string | null;
  readonly exception?: OrderException;
  readonly amountReceived?: number;
  readonly amountRefunded?: number;
  /** Where a bank took money back. */
  readonly amountChargedBack?: number;
  readonly paidAt?: string | null;
  /** Of orders that were changed; before then they are the original ones. */
  readonly amount?: number;
  readonly expiresAt?: string;
  readonly payment?: PaymentSnapshot | null;
  /** The payments beside that one, where there were any. Events of earlier versions have none. */
  readonly others?: readonly PaymentSnapshot[] | null;
}

/** The payout as it was right after the event: readers of the feed need not look it up. */
export type PayoutSnapshot = Json<Pick<Payout, (typeof PAYOUT_SNAPSHOT)[number]>>;

type Remarks = Readonly<Record<string, unknown>>;
/** What an event keeps of its order, and what it is about. */
export type OrderEventData = OrderSnapshot & Remarks;

/**
 * One fact about an order or a payout. Rows are never changed or deleted; triggers see to it. Only the place in
 * the feed is filled in later, once.
 */
@Entity({ name: 'events' })
@Check('events_sequence_check', `sequence > 0`)
@Check('events_mode_check', `mode IN ('test', 'live')`)
@Check('events_position_check', `position > 0`)
@Check('events_subject_check', `(txid IS NULL) <> (payout_id IS NULL)`)
@ForeignKey(() => Payout, ['merchantId', 'payoutId'], ['merchantId', 'id'], {
  name: 'events_payout_fk',
})
@Index('events_order', ['merchantId', 'txid', 'sequence'], { unique: true })
@Index('events_payout', ['merchantId', 'payoutId', 'sequence'], {
  unique: true,
  where: 'payout_id IS NOT NULL',
})
@Index('events_feed', ['merchantId', 'mode', 'position'], {
  unique: true,
  where: 'position IS NOT NULL',
})
@Index('events_unpublished', ['merchantId', 'mode', 'createdAt'], { where: 'position IS NULL' })
export class MerchantEvent {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'events_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'events_pk' })
  id: string;

  /** The order that it is about; null when it is about a payout. */
  @Column({ type: 'uuid', nullable: true })
  txid: string | null;

  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId: string | null;

  @Column({ type: 'text' })
  mode: Mode;

  /** 1 for the first event of the order or payout, then without a gap. */
  @Column({ type: 'integer' })
  sequence: number;

  @Column({ type: 'text' })
  type: EventType;

  /** What the event is about, and the order or payout as it was then. */
  @Column({ type: 'jsonb' })
  data: OrderEventData | PayoutSnapshot;

  /**
   * The place in the merchant's feed, null until it was published. Events are published after they
   * were committed, so that a reader who has seen a place has seen all places before it.
   */
  @Column({ type: 'bigint', nullable: true })
  position: number | null;

  @MomentColumn('created_at')
  createdAt: Date;
}
