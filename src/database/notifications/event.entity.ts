import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import type { Json } from '../entity-sql.js';
import { type Mode } from '../merchants/api-key.entity.js';
import type { OrderException, OrderStatus } from '../orders/order.entity.js';
import type { Payment } from '../payments/payment.entity.js';
import { Payout, type PAYOUT_SNAPSHOT } from '../payouts/payout.entity.js';
import type { Refund, REFUND_SNAPSHOT } from '../refunds/refund.entity.js';

/** Their subject is the order of the refund. */
export const REFUND_EVENT_TYPES = [
  'refund.requested',
  'refund.approved',
  'refund.submitted',
  'refund.succeeded',
  'refund.failed',
  'refund.cancelled',
  'refund.rejected',
] as const;
export type RefundEventType = (typeof REFUND_EVENT_TYPES)[number];

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
  ...REFUND_EVENT_TYPES,
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

/** Columns of a payment that change; without payer data. */
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
 * Changeable columns of the order right after the event; times in JSON format. Payer data is only stored in the
 * payment, where it can be erased.
 */
export interface OrderSnapshot {
  readonly status: OrderStatus;
  readonly statusReason?: string | null;
  readonly exception?: OrderException;
  readonly amountReceived?: number;
  readonly amountRefunded?: number;
  /** Only while refunds are in progress. */
  readonly amountRefundPending?: number;
  /** Only after a bank return. */
  readonly amountChargedBack?: number;
  readonly paidAt?: string | null;
  /** Only for changed orders; otherwise the original values apply. */
  readonly amount?: number;
  readonly expiresAt?: string;
  readonly payment?: PaymentSnapshot | null;
  /** The refund of a refund event. */
  readonly refundAsOf?: RefundSnapshot;
  /** Other payments of the order, if any. Events of earlier versions have none. */
  readonly others?: readonly PaymentSnapshot[] | null;
}

/** The refund right after the event. */
export type RefundSnapshot = Json<Pick<Refund, (typeof REFUND_SNAPSHOT)[number]>>;

/** The payout right after the event, so that readers of the feed need no lookup. */
export type PayoutSnapshot = Json<Pick<Payout, (typeof PAYOUT_SNAPSHOT)[number]>>;

type Remarks = Readonly<Record<string, unknown>>;
/** An order event's snapshot with additional data. */
export type OrderEventData = OrderSnapshot & Remarks;

/**
 * An event of an order or a payout. Immutable: triggers reject changes and deletions, except that the feed position is
 * set once.
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

  /** The order; null for a payout event. */
  @Column({ type: 'uuid', nullable: true })
  txid: string | null;

  @Column({ name: 'payout_id', type: 'uuid', nullable: true })
  payoutId: string | null;

  @Column({ type: 'text' })
  mode: Mode;

  /** Sequence number within the order or payout, from 1 without gaps. */
  @Column({ type: 'integer' })
  sequence: number;

  @Column({ type: 'text' })
  type: EventType;

  /** Snapshot of the order or payout, with additional data. */
  @Column({ type: 'jsonb' })
  data: OrderEventData | PayoutSnapshot;

  /**
   * Position in the merchant's feed; null until published. Events are published after their commit, so that a reader of
   * a position has seen all earlier ones.
   */
  @Column({ type: 'bigint', nullable: true })
  position: number | null;

  @TimestampColumn('created_at')
  createdAt: Date;
}
