import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { Delivery } from './delivery.entity.js';

/** A delivery attempt and its result. Kept as long as its delivery. */
@Entity({ name: 'delivery_attempts' })
@Check('delivery_attempts_number_check', `number > 0`)
@Check('delivery_attempts_error_check', `succeeded = (error IS NULL)`)
@ForeignKey(() => Delivery, ['merchantId', 'deliveryId'], ['merchantId', 'id'], {
  name: 'delivery_attempts_delivery_fk',
  onDelete: 'CASCADE',
})
export class DeliveryAttempt {
  @PrimaryColumn({
    name: 'merchant_id',
    type: 'uuid',
    primaryKeyConstraintName: 'delivery_attempts_pk',
  })
  merchantId: string;

  @PrimaryColumn({
    name: 'delivery_id',
    type: 'uuid',
    primaryKeyConstraintName: 'delivery_attempts_pk',
  })
  deliveryId: string;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'delivery_attempts_pk' })
  number: number;

  @TimestampColumn('started_at')
  startedAt: Date;

  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  @Column({ type: 'boolean' })
  succeeded: boolean;

  /** HTTP or SMTP status; null without a response. */
  @Column({ name: 'status_code', type: 'integer', nullable: true })
  statusCode: number | null;

  /** Why the attempt failed, as text for the merchant. */
  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** Request line and headers as sent, at most 4 kB. */
  @Column({ name: 'request_head', type: 'text', nullable: true })
  requestHead: string | null;

  /** Status line, headers and, in test mode, the beginning of the body, at most 4 kB. */
  @Column({ name: 'response_head', type: 'text', nullable: true })
  responseHead: string | null;
}
