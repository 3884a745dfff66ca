import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { Mode } from '../merchants/api-key.entity.js';
import { Merchant } from '../merchants/merchant.entity.js';

/** The last published position of a merchant's event feed. Its row lock serializes publishing. */
@Entity({ name: 'event_feeds' })
@Check('event_feeds_mode_check', `mode IN ('test', 'live')`)
@ForeignKey(() => Merchant, ['merchantId'], ['id'], { name: 'event_feeds_merchant_fk' })
export class EventFeed {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: 'event_feeds_pk' })
  merchantId: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'event_feeds_pk' })
  mode: Mode;

  @Column({ name: 'last_position', type: 'bigint', default: 0 })
  lastPosition: number;
}
