import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TimestampColumn } from '../columns.js';
import { User } from '../people/user.entity.js';
import { Order } from './order.entity.js';

const PK = 'order_notes_pk';

/** Notes whose text is not erased. */
export const WITH_TEXT = `text <> '[erased]'`;

/** A user's note about an order. Immutable: a trigger rejects updates, except the erasure of its text. */
@Entity({ name: 'order_notes' })
@Check('order_notes_text_check', 'char_length(text) BETWEEN 1 AND 1000')
@ForeignKey(() => Order, ['merchantId', 'txid'], ['merchantId', 'txid'], {
  name: 'order_notes_order_fk',
})
@ForeignKey(() => User, ['userId'], ['id'], { name: 'order_notes_user_fk' })
@Index('order_notes_order', ['merchantId', 'txid', 'id'])
@Index('order_notes_kept', ['merchantId', 'id'], { where: WITH_TEXT })
export class OrderNote {
  @PrimaryColumn({ name: 'merchant_id', type: 'uuid', primaryKeyConstraintName: PK })
  merchantId: string;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: PK })
  id: string;

  @Column({ type: 'uuid' })
  txid: string;

  @Column({ name: 'user_id', type: 'uuid' })
  userId: string;

  @Column({ type: 'text' })
  text: string;

  @TimestampColumn('created_at')
  createdAt: Date;
}
