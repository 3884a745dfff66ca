import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Moment } from './columns.js';
import { Order } from './order.entity.js';

export const ORDER_EVENT_TYPES = [
  'order.created',
  'order.processing',
  'order.paid',
  'order.failed',
  'order.cancelled',
  'order.expired',
  'order.exception',
  'payment.failed',
] as const;
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number];

/** One fact about an order. Rows are never changed or deleted; triggers see to it. */
@Entity({ name: 'events' })
@Check('events_sequence_check', `sequence > 0`)
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'events_order_fk',
})
@Index('events_order', ['merchantId', 'txid', 'sequence'], { unique: true })
export class OrderEvent {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'events_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'events_pk' })
  id: string;

  @Column({ type: 'uuid' })
  txid: string;

  /** 1 for the order's first event, then without a gap. */
  @Column({ type: 'integer' })
  sequence: number;

  @Column({ type: 'text' })
  type: OrderEventType;

  /** Status before and after, and what else the event changed. */
  @Column({ type: 'jsonb' })
  data: Record<string, unknown>;

  @Moment('created_at')
  createdAt: Date;
}
